import type { ErrorCode } from '#platform/errors';

/** A definite refusal with the error code and message that callers get. */
export interface Refusal {
  code: ErrorCode;
  message: string;
  result: Record<string, unknown> | null;
}

/** The refusal that a withdrawal's row records; `errorCode` is null when there is none. */
export interface RecordedRefusal {
  errorCode: ErrorCode | null;
  errorMessage: string | null;
  errorResult: Record<string, unknown> | null;
}
