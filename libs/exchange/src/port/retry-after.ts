/** The pause when an exchange asks for fewer calls and reports no time. */
const UNKNOWN_PAUSE_MS = 10_000;

/** Returns the seconds of `Retry-After` for a pause that an exchange demands. @param retryAfterMs absent = not known */
export function retryAfterSecondsOf(retryAfterMs = UNKNOWN_PAUSE_MS): number {
  return Math.ceil(retryAfterMs / 1_000);
}
