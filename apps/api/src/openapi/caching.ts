import type { CacheKind } from '#platform/http';
import { addError, type DocumentedOperation, type DocumentedResponse } from './operation.js';

const parameter = {
  name: 'Cache-Control',
  in: 'header',
  required: false,
  description:
    'Which stored data may be used for the response (RFC 9111). `only-if-cached`: the exchange is not called, and the response is 504 if no stored data is fresh enough. ' +
    '`max-age=<seconds>`: older stored data is not used, even if a parameter allows it. `no-cache`: stored data is not used. Unknown directives are ignored; an age that cannot be read counts as 0.',
  schema: { type: 'string' },
  example: 'max-age=60',
};

const age = {
  description: 'Seconds since the exchange returned the data of this response.',
  schema: { type: 'string', pattern: '^[0-9]+$' },
};

interface Operation extends DocumentedOperation {
  'x-keeps-cache'?: CacheKind;
}

/**
 * Documents the request header `Cache-Control` of operations that can respond with stored data of an exchange.
 * Operations without `x-keeps-cache` refuse `only-if-cached`, and get the error code of this refusal.
 */
export function documentCaching(operation: Operation): void {
  const kind = operation['x-keeps-cache'];
  if (kind === undefined) return addError(operation, 'CACHE_INVALID_PATH');
  if (kind === 'never-asks') return;
  operation.parameters = [...(operation.parameters ?? []), parameter];
  addError(operation, 'CACHE_MISS');
  addError(operation, 'CACHE_EXPIRED');
  const { 200: response } = operation.responses as Record<string, DocumentedResponse>;
  operation.responses[200] = { ...response, headers: { ...response?.headers, age } };
}
