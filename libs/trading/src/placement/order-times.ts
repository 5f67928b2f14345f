import type { Config } from '#platform/config';

type Times = Pick<
  Config['values'],
  'ORDER_LEASE_MS' | 'ORDER_DEADLINE_SECONDS' | 'ORDER_SETTLE_SECONDS' | 'EXCHANGE_SUBMIT_TIMEOUT_MS'
>;

/** The lease must exceed the duration of a submission by this, so that there is time to send. */
const LEASE_MARGIN_MS = 250;
/** The submission deadline must still be in the future when the order arrives. */
const DEADLINE_MARGIN_MS = 3_000;
/**
 * Largest distance of a deadline that exchanges accept, by their own clock. An exchange that
 * accepts an order is therefore behind by at most the rest of it, and makes the order at most that much too late.
 */
const DEADLINE_AHEAD_MAX_MS = 60_000;

/** @throws Error when these settings would not allow orders, or not always */
export function requireSoundTimes(times: Times): void {
  const sendMs = times.ORDER_LEASE_MS - times.EXCHANGE_SUBMIT_TIMEOUT_MS;
  if (sendMs < LEASE_MARGIN_MS) {
    throw new Error(`ORDER_LEASE_MS must be at least EXCHANGE_SUBMIT_TIMEOUT_MS + ${LEASE_MARGIN_MS}`);
  }
  if (times.ORDER_DEADLINE_SECONDS * 1_000 < sendMs + DEADLINE_MARGIN_MS) {
    throw new Error(
      `ORDER_DEADLINE_SECONDS must be ${DEADLINE_MARGIN_MS / 1_000} above ORDER_LEASE_MS - EXCHANGE_SUBMIT_TIMEOUT_MS`,
    );
  }
  if ((times.ORDER_DEADLINE_SECONDS + times.ORDER_SETTLE_SECONDS) * 1_000 < DEADLINE_AHEAD_MAX_MS) {
    throw new Error(
      `the sum of ORDER_SETTLE_SECONDS and ORDER_DEADLINE_SECONDS must be at least ${DEADLINE_AHEAD_MAX_MS / 1_000}`,
    );
  }
}
