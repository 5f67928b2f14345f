import { getSchemaPath } from '@nestjs/swagger';
import { IDEMPOTENCY_KEY, REPLAYED_HEADER } from '#access';
import { errorCodes } from '#platform/errors';
import { ErrorResponse } from '#platform/http';

const CODE = 'GENERIC_INVALID_REQUEST';

const parameter = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'Chosen by the caller for one request, for example a UUID: a repeat with the same key gets the first answer (`idempotent-replayed: true`) and does nothing. ' +
    'The same key with another payload is 422, while the first request is being worked on 409 with `Retry-After`.',
  schema: { type: 'string', pattern: IDEMPOTENCY_KEY.source, maxLength: 255 },
};

const refusal = `\`${CODE}\`: ${errorCodes[CODE].when}`;
const replayed = { description: '`true` when this answer was given before.', schema: { type: 'string' } };
const retryAfter = {
  description: 'Seconds to wait while the first request with the same `Idempotency-Key` is being worked on.',
  schema: { type: 'string' },
};

/** Answers that are never kept: who gets them has not come as far as the key, or may use it again. */
const NOT_KEPT = ['401', '403', '429'];

interface Response {
  description?: string;
  headers?: Record<string, unknown>;
  content?: Record<string, { schema?: unknown }>;
}

interface Operation {
  parameters?: unknown[];
  responses: Record<string, Response>;
  'x-error-codes'?: string[];
  'x-required-scopes'?: string[];
}

/** Documents the `Idempotency-Key` of every POST and PUT of a project. */
export function documentIdempotency(method: string, operation: Operation): void {
  if (!['post', 'put'].includes(method) || operation['x-required-scopes'] === undefined) return;
  operation.parameters = [...(operation.parameters ?? []), parameter];
  operation['x-error-codes'] = [...new Set([...(operation['x-error-codes'] ?? []), CODE])].sort();
  const { 409: conflict, 422: otherPayload, ...others } = operation.responses;
  const responses = {
    ...others,
    409: { ...refusedAs(conflict), headers: { ...conflict?.headers, 'retry-after': retryAfter } },
    422: refusedAs(otherPayload),
  };
  operation.responses = Object.fromEntries(
    Object.entries(responses).map(([status, response]) => [
      status,
      NOT_KEPT.includes(status) || Number(status) >= 500
        ? response
        : { ...response, headers: { ...response.headers, [REPLAYED_HEADER]: replayed } },
    ]),
  );
}

function refusedAs(response: Response | undefined): Response {
  if (response?.description?.includes(CODE)) return response;
  const description = [...(response?.description ? [response.description] : []), refusal].join('\n\n');
  const content = { 'application/json': { schema: { $ref: getSchemaPath(ErrorResponse) } } };
  return { ...response, description, content };
}
