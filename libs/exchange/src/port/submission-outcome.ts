import type { ErrorCode } from '#platform/errors';

/** A definite refusal, by a code in the error map: the exchange executed nothing. */
export interface Rejected {
  kind: 'rejected';
  /** The error code that our API returns. */
  code: ErrorCode;
  rawCode: string;
  reason?: string;
  /** The milliseconds after which the exchange allows the call again; absent = it demands no pause. */
  retryAfterMs?: number;
  answer: Record<string, unknown>;
}

/**
 * Provably no byte of the request was written, so the same submission may be sent again. No response of the exchange
 * leads to this outcome.
 */
export interface NotSent {
  kind: 'not_sent';
  reason: string;
  /** The milliseconds after which our own limit of calls allows the call; absent = another cause, or not known. */
  retryAfterMs?: number;
}
