import { errorCodes, type ErrorCode } from '#platform/errors';
import type { ErrorsByStatus } from '#platform/http';

export interface DocumentedResponse {
  description?: string;
  headers?: Record<string, object>;
  content?: Record<string, { schema?: object }>;
}

export interface DocumentedParameter {
  name: string;
  in: string;
  required?: boolean;
  example?: unknown;
  schema?: Record<string, unknown>;
}

/** The members of an operation that `buildOpenApi` reads or changes. */
export interface DocumentedOperation {
  operationId: string;
  summary?: string;
  security?: unknown[];
  parameters?: (DocumentedParameter | { $ref: string })[];
  responses: Record<string, DocumentedResponse | { $ref: string }>;
  /** The decorator `ApiErrors` sets this member. `buildOpenApi` turns it into responses and `x-error-codes`. */
  'x-errors'?: ErrorsByStatus;
  'x-error-codes'?: string[];
}

/** Adds a code to the error codes that the operation can return with `status`. */
export function addError(
  operation: DocumentedOperation,
  code: ErrorCode,
  status: number = errorCodes[code].status,
): void {
  const errors = (operation['x-errors'] ??= {});
  const codes = errors[status] ?? [];
  errors[status] = codes.includes(code) ? codes : [...codes, code];
}

/** Returns the responses that the operation contains itself, without those that are only references to components. */
export function ownResponses({ responses }: DocumentedOperation): [status: string, DocumentedResponse][] {
  return Object.entries(responses).filter((entry): entry is [string, DocumentedResponse] => !('$ref' in entry[1]));
}
