import { applyDecorators } from '@nestjs/common';
import { ApiExtension } from '@nestjs/swagger';
import { errorCodes, type ErrorCode, type ErrorCodeInfo } from '#platform/errors';

/**
 * GENERIC_INVALID_REQUEST with a status other than 400. 403: the project is suspended. 409: an operation in progress
 * conflicts with the request. 422: an earlier request had the same quote or idempotency key, and another payload.
 */
type SpecialCase = `${403 | 409 | 422} GENERIC_INVALID_REQUEST`;

/** An entry of `@ApiErrors`. */
export type DocumentedError = ErrorCode | SpecialCase;

/** The error codes that an operation can return, by status. */
export type ErrorsByStatus = Record<string, ErrorCode[]>;

/** The errors that every operation can return. */
const ALWAYS: [status: number, code: ErrorCode][] = [
  [400, 'GENERIC_VALIDATION_ERROR'],
  [500, 'GENERIC_INTERNAL_SERVER_ERROR'],
  [503, 'GENERIC_INTERNAL_SERVER_ERROR'],
];

/**
 * Documents the error codes that an operation can return. A code has the statuses of the registry, unless the entry
 * names another status.
 */
export function ApiErrors(...errors: DocumentedError[]): MethodDecorator {
  const byStatus: ErrorsByStatus = {};
  for (const [status, code] of [...ALWAYS, ...errors.flatMap(statusesAndCode)]) {
    const codes = byStatus[status] ?? [];
    byStatus[status] = codes.includes(code) ? codes : [...codes, code];
  }
  return applyDecorators(ApiExtension('x-errors', byStatus));
}

function statusesAndCode(error: DocumentedError): [status: number, code: ErrorCode][] {
  switch (error) {
    case '403 GENERIC_INVALID_REQUEST':
      return [[403, 'GENERIC_INVALID_REQUEST']];
    case '409 GENERIC_INVALID_REQUEST':
      return [[409, 'GENERIC_INVALID_REQUEST']];
    case '422 GENERIC_INVALID_REQUEST':
      return [[422, 'GENERIC_INVALID_REQUEST']];
    default:
      return statusesOf(error).map((status) => [status, error]);
  }
}

/** The other statuses of a general code depend on the operation, so `SpecialCase` names them. */
function statusesOf(code: ErrorCode): number[] {
  const { status, otherStatuses = [] }: ErrorCodeInfo = errorCodes[code];
  return code.startsWith('GENERIC_') ? [status] : [status, ...otherStatuses];
}
