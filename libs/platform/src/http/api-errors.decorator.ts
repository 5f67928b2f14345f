import { applyDecorators } from '@nestjs/common';
import { ApiExtension, ApiResponse } from '@nestjs/swagger';
import { errorCodes, type ErrorCode, type ErrorCodeInfo } from '#platform/errors';
import { ErrorResponse } from './error-response.dto.js';

/** Codes that every endpoint can return. */
const ALWAYS: ErrorCode[] = ['GENERIC_VALIDATION_ERROR', 'GENERIC_INTERNAL_SERVER_ERROR'];

/** Documents the error codes that an endpoint can return, by status. */
export function ApiErrors(...codes: ErrorCode[]): MethodDecorator {
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of new Set([...ALWAYS, ...codes])) {
    const { status, otherStatuses = [] }: ErrorCodeInfo = errorCodes[code];
    for (const each of [status, ...otherStatuses]) byStatus.set(each, [...(byStatus.get(each) ?? []), code]);
  }
  return applyDecorators(
    ...[...byStatus].map(([status, group]) =>
      ApiResponse({
        status,
        type: ErrorResponse,
        description: group.map((code) => `\`${code}\`: ${errorCodes[code].when}`).join('\n\n'),
      }),
    ),
    ApiExtension('x-error-codes', [...new Set([...ALWAYS, ...codes])].sort()),
  );
}
