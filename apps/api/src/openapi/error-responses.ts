import { getSchemaPath } from '@nestjs/swagger';
import { errorCodes, type ErrorCode } from '#platform/errors';
import { ProblemResponse } from '#platform/http';
import type { Schema } from './error-results.js';
import { errorSchemaName } from './error-schemas.js';
import type { DocumentedOperation, DocumentedResponse } from './operation.js';

/** Writes a response for each status in `x-errors`. Its schema lists the operation's error codes with that status. */
export function describeErrors(operation: DocumentedOperation): void {
  const errors = Object.entries(operation['x-errors'] ?? {});
  for (const [status, codes] of errors) {
    const success = operation.responses[status] as DocumentedResponse | undefined;
    operation.responses[status] = errorResponse([...codes].sort(), success);
  }
  operation['x-error-codes'] = [...new Set(errors.flatMap(([, codes]) => codes))].sort();
  delete operation['x-errors'];
}

/** @param other a response of another form with the same status. */
function errorResponse(codes: ErrorCode[], other?: DocumentedResponse): DocumentedResponse {
  const texts = codes.map((code) => `\`${code}\`: ${errorCodes[code].when}`);
  const otherSchema = other?.content?.['application/json']?.schema;
  const schema = oneOf(codes);
  return {
    description: [...texts, ...(other?.description ? [other.description] : [])].join('\n\n'),
    content: {
      'application/json': { schema: otherSchema === undefined ? schema : { oneOf: [otherSchema, schema] } },
      'application/problem+json': { schema: { $ref: getSchemaPath(ProblemResponse) } },
    },
  };
}

/** Combines the schemas of the codes. A client finds the schema of an error by its `type`. */
function oneOf(codes: ErrorCode[]): Schema {
  const refs = codes.map((code) => getSchemaPath(errorSchemaName(code)));
  const [only, ...others] = refs;
  if (only !== undefined && others.length === 0) return { $ref: only };
  const mapping = Object.fromEntries(codes.map((code) => [code, getSchemaPath(errorSchemaName(code))]));
  return { oneOf: refs.map(($ref) => ({ $ref })), discriminator: { propertyName: 'type', mapping } };
}

/** The names of the schemas in the response, as `describeErrors` has written them. */
export function errorSchemaNames({ content }: DocumentedResponse): string[] {
  const { oneOf: several, ...only } = (content?.['application/json']?.schema ?? {}) as Alternatives;
  return (several ?? [only]).map(({ $ref = '' }) => $ref.slice($ref.lastIndexOf('/') + 1));
}

interface Alternatives {
  $ref?: string;
  oneOf?: { $ref?: string }[];
}
