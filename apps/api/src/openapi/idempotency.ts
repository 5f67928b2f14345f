import { IDEMPOTENCY_KEY, REPLAYED_HEADER } from '#access';
import { headerRef } from './headers.js';
import { addError, ownResponses, type DocumentedOperation } from './operation.js';

const parameter = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'Chosen by the caller for one request, for example a UUID: a repeat with the same key gets the first response (`idempotent-replayed: true`), and nothing is executed again. ' +
    'With another payload, the same key gets 422. While the first request is in progress, a repeat gets 409 with `Retry-After`.',
  schema: { type: 'string', pattern: IDEMPOTENCY_KEY.source, maxLength: 255 },
};

/**
 * Responses with these statuses are never stored. 401 and 403 are sent before the `Idempotency-Key` is read. After 429,
 * the caller may repeat the request with the same key.
 */
const NOT_STORED = ['401', '403', '429'];

interface Operation extends DocumentedOperation {
  'x-required-scopes'?: string[];
}

export function takesIdempotencyKey(method: string, operation: Operation): boolean {
  return ['post', 'put'].includes(method) && operation['x-required-scopes'] !== undefined;
}

/** Documents the `Idempotency-Key` of every POST and PUT of a project. */
export function documentIdempotency(operation: Operation): void {
  operation.parameters = [...(operation.parameters ?? []), parameter];
  addError(operation, 'GENERIC_INVALID_REQUEST', 409);
  addError(operation, 'GENERIC_INVALID_REQUEST', 422);
}

/** Documents the headers of stored responses. Call it after all responses of the operation are documented. */
export function documentReplays(operation: Operation): void {
  for (const [status, response] of ownResponses(operation)) {
    if (NOT_STORED.includes(status) || Number(status) >= 500) continue;
    response.headers = { ...response.headers, [REPLAYED_HEADER]: headerRef('IdempotentReplayed') };
    if (status === '409') response.headers['retry-after'] = headerRef('RetryAfter');
  }
}
