import { errorCodes, type ErrorCode } from '#platform/errors';
import { errorResults, type Schema } from './error-results.js';

const ERROR = { description: 'What went wrong, for people. Decide by `type`, never by this text.', type: 'string' };
const REQUEST_ID = { description: 'The `x-request-id` of this request, which its log lines contain.', type: 'string' };

/** Further members of an error response, besides `result`, by error code. */
const besideResult: Partial<Record<ErrorCode, { properties: Record<string, Schema>; required?: string[] }>> = {
  APIKEY_INSUFFICIENT_PERMISSIONS: {
    properties: {
      missing: { description: 'The scopes that the key lacks.', type: 'array', items: { type: 'string' } },
    },
    required: ['missing'],
  },
  GENERIC_INVALID_REQUEST: { properties: supportedExchanges() },
  GENERIC_VALIDATION_ERROR: { properties: supportedExchanges() },
};

/** Name of the schema of the errors with this code: `QUOTE_EXPIRED` becomes `QuoteExpiredError`. */
export function errorSchemaName(code: ErrorCode): string {
  return `${pascalCase(code).replace(/Error$/, '')}Error`;
}

function pascalCase(text: string): string {
  return text.toLowerCase().replaceAll(/(?:^|_)(.)/g, (_, first: string) => first.toUpperCase());
}

/** The schema of an error response with this code and no other. */
export function errorSchema(code: ErrorCode): Schema {
  const result = errorResults[code];
  const { properties = {}, required = [] } = besideResult[code] ?? {};
  return {
    type: 'object',
    description: errorCodes[code].when,
    properties: {
      error: ERROR,
      type: { description: 'Error code.', type: 'string', enum: [code] },
      requestId: REQUEST_ID,
      ...(result && { result: result.schema }),
      ...properties,
    },
    required: ['error', 'type', 'requestId', ...(result?.isRequired ? ['result'] : []), ...required],
  };
}

function supportedExchanges(): Record<string, Schema> {
  const description = 'The supported exchanges, when the request names an exchange that is not supported.';
  return { supportedExchanges: { description, type: 'array', items: { type: 'string' } } };
}
