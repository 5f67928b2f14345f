/**
 * Pauses after the failed attempts of a delivery, in seconds: together 71 hours. The delivery has failed when the
 * attempt after the last pause fails.
 */
const PAUSES_SECONDS = [5, 30, 120, 600, 1_800, 3_600, 7_200, 14_400, 28_800, 43_200, 72_000, 86_400];
/** Each pause is prolonged at random by up to this part, so that retries after an outage do not arrive together. */
const JITTER = 0.1;

/** Maximum number of attempts of a delivery. A re-send allows the same number again. */
export const ATTEMPTS_MAX = PAUSES_SECONDS.length + 1;

/**
 * Returns the pause after the given number of failed attempts, in milliseconds; null = there is no further attempt.
 * @param random between 0 and 1.
 */
export function pauseAfter(failedAttempts: number, random: number): number | null {
  const seconds = PAUSES_SECONDS[failedAttempts - 1];
  return seconds === undefined ? null : Math.round(seconds * 1_000 * (1 + JITTER * random));
}
