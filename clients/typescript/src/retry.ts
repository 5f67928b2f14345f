import type { Repeat } from './call.js';
import type { CausewayError } from './errors.js';

/** The longest first pause when the service sends no `Retry-After`. The longest pause doubles after each attempt. */
const FIRST_PAUSE_MS = 500;

export interface RetryLimits {
  /** Repeats after the first attempt. */
  repeatsMax: number;
  /** The longest pause. When the service asks for a longer one, the error is thrown at once. */
  pauseMaxMs: number;
}

export interface FailedAttempt {
  repeat: Repeat;
  error: CausewayError;
  /** The number of the attempt, counted from 0. */
  number: number;
}

/**
 * Returns how long to wait before the request is sent again, or null when it must not be repeated.
 *
 * @param random from 0 to 1, so that many clients do not return at the same moment
 */
export function pauseBeforeRepeat(
  { repeat, error, number }: FailedAttempt,
  { repeatsMax, pauseMaxMs }: RetryLimits,
  random: number,
): number | null {
  if (number >= repeatsMax || !mayRepeat(repeat, error)) return null;
  if (error.retryAfterMs !== null) return error.retryAfterMs <= pauseMaxMs ? error.retryAfterMs : null;
  return Math.min(FIRST_PAUSE_MS * 2 ** number * (0.5 + random / 2), pauseMaxMs);
}

function mayRepeat(repeat: Repeat, { status, retryAfterMs }: CausewayError): boolean {
  if (status === 429) return true;
  switch (repeat) {
    case 'refused_only':
      return false;
    case 'read':
      return status === null || status === 500 || status === 502 || status === 503;
    case 'with_key':
      // 409 with Retry-After: the first attempt is still in progress. A 502 is not repeated: it is a known outcome.
      return status === null || status === 500 || status === 503 || (status === 409 && retryAfterMs !== null);
  }
}
