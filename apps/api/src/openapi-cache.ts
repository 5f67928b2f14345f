import { getSchemaPath } from '@nestjs/swagger';
import { errorCodes, type ErrorCode } from '#platform/errors';
import { ErrorResponse, type CacheKind } from '#platform/http';

const parameter = {
  name: 'Cache-Control',
  in: 'header',
  required: false,
  description:
    'What stored data may answer (RFC 9111). `only-if-cached`: the exchange is not called; without data that is fresh enough the answer is 504. ' +
    '`max-age=<seconds>`: older data does not, whatever else would let it pass. `no-cache`: stored data does not. Unknown directives are ignored; an age that cannot be read counts as 0.',
  schema: { type: 'string' },
  example: 'only-if-cached, max-age=60',
};

const age = {
  description: 'Seconds since the exchange gave what is answered.',
  schema: { type: 'string', pattern: '^[0-9]+$' },
};

interface Response {
  description?: string;
  headers?: Record<string, unknown>;
  content?: Record<string, { schema?: unknown }>;
}

interface Operation {
  parameters?: unknown[];
  responses: Record<string, Response>;
  'x-error-codes'?: string[];
  'x-keeps-cache'?: CacheKind;
}

/** Documents `Cache-Control`: what it does where data is stored, and that `only-if-cached` is refused everywhere else. */
export function documentCaching(operation: Operation): void {
  const kind = operation['x-keeps-cache'];
  if (kind === undefined) return addError(operation, 'CACHE_INVALID_PATH');
  if (kind === 'never-asks') return;
  operation.parameters = [...(operation.parameters ?? []), parameter];
  addError(operation, 'CACHE_MISS');
  addError(operation, 'CACHE_EXPIRED');
  const { 200: answer } = operation.responses;
  operation.responses[200] = { ...answer, headers: { ...answer?.headers, age } };
}

function addError(operation: Operation, code: ErrorCode): void {
  const { status, when } = errorCodes[code];
  const known = operation.responses[status];
  const description = [...(known?.description ? [known.description] : []), `\`${code}\`: ${when}`].join('\n\n');
  const content = known?.content ?? { 'application/json': { schema: { $ref: getSchemaPath(ErrorResponse) } } };
  operation.responses[status] = { ...known, description, content };
  operation['x-error-codes'] = [...new Set([...(operation['x-error-codes'] ?? []), code])].sort();
}
