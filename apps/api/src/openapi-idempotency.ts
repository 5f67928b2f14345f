import { IDEMPOTENCY_KEY, REPLAYED_HEADER } from '#access';
import { listErrorCode, withErrorCode, type DocumentedOperation } from './openapi-operation.js';

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

const replayed = { description: '`true` when this answer was given before.', schema: { type: 'string' } };
const retryAfter = {
  description: 'Seconds to wait while the first request with the same `Idempotency-Key` is being worked on.',
  schema: { type: 'string' },
};

/** Answers that are never kept: who gets them has not come as far as the key, or may use it again. */
const NOT_KEPT = ['401', '403', '429'];

interface Operation extends DocumentedOperation {
  'x-required-scopes'?: string[];
}

/** Documents the `Idempotency-Key` of every POST and PUT of a project. */
export function documentIdempotency(method: string, operation: Operation): void {
  if (!['post', 'put'].includes(method) || operation['x-required-scopes'] === undefined) return;
  operation.parameters = [...(operation.parameters ?? []), parameter];
  listErrorCode(operation, CODE);
  const { 409: conflict, 422: otherPayload, ...others } = operation.responses;
  const responses = {
    ...others,
    409: { ...withErrorCode(conflict, CODE), headers: { ...conflict?.headers, 'retry-after': retryAfter } },
    422: withErrorCode(otherPayload, CODE),
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
