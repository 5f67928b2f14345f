import { getSchemaPath } from '@nestjs/swagger';
import { errorCodes, type ErrorCode } from '#platform/errors';
import { ErrorResponse } from '#platform/http';

export interface DocumentedResponse {
  description?: string;
  headers?: Record<string, unknown>;
  content?: Record<string, { schema?: unknown }>;
}

/** An operation of the document, as far as what is added to many of them has to know it. */
export interface DocumentedOperation {
  parameters?: unknown[];
  responses: Record<string, DocumentedResponse>;
  'x-error-codes'?: string[];
}

/** The response with one code more; once it is there it stays as it is. */
export function withErrorCode(response: DocumentedResponse | undefined, code: ErrorCode): DocumentedResponse {
  if (response?.description?.includes(`\`${code}\``)) return response;
  const text = `\`${code}\`: ${errorCodes[code].when}`;
  const description = [...(response?.description ? [response.description] : []), text].join('\n\n');
  const content = response?.content ?? { 'application/json': { schema: { $ref: getSchemaPath(ErrorResponse) } } };
  return { ...response, description, content };
}

/** Lists the code among those that the operation can answer. */
export function listErrorCode(operation: DocumentedOperation, code: ErrorCode): void {
  operation['x-error-codes'] = [...new Set([...(operation['x-error-codes'] ?? []), code])].sort();
}
