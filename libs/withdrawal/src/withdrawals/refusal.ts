import type { SubmitOutcome } from '#exchange';
import { generalMessageOf, type ErrorCode } from '#platform/errors';

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

/**
 * Returns an exchange's definite refusal with our error code. The result contains the exchange's own code for support.
 */
export function refusalOf(outcome: Extract<SubmitOutcome, { kind: 'rejected' }>): Refusal {
  return {
    code: outcome.code,
    message: `The exchange refused the withdrawal: ${causeOf(outcome)}`,
    result: {
      exchangeCode: outcome.rawCode,
      ...(outcome.reason !== undefined && { reason: outcome.reason }),
      ...(outcome.reason === 'challenge_locked' && { locked: true }),
    },
  };
}

/**
 * Names the cause of a refusal. `WITHDRAWAL_PROVIDER_ERROR` has several causes, so its general message does not name
 * one.
 */
function causeOf({ code, reason }: Extract<SubmitOutcome, { kind: 'rejected' }>): string {
  if (code !== 'WITHDRAWAL_PROVIDER_ERROR') return generalMessageOf(code);
  return `${reason?.replaceAll('_', ' ') ?? 'Causeway does not know the reason (see result.exchangeCode)'}; no money was moved.`;
}

/** The refusal that is recorded for a quote that was not sent before it expired. */
export const EXPIRED: Refusal = { code: 'QUOTE_EXPIRED', message: generalMessageOf('QUOTE_EXPIRED'), result: null };
