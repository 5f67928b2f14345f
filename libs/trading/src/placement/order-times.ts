import type { Config } from '#platform/config';

type Times = Pick<
  Config['values'],
  'ORDER_LEASE_MS' | 'ORDER_DEADLINE_SECONDS' | 'ORDER_SETTLE_SECONDS' | 'EXCHANGE_SUBMIT_TIMEOUT_MS'
>;

/** A lease outlives the submission by at least this, so that something can be sent in it. */
const LEASE_MARGIN_MS = 250;
/** An exchange wants a deadline that is still ahead when the order arrives. */
const DEADLINE_MARGIN_MS = 3_000;
/**
 * An exchange judges the deadline by its own clock, and takes none that is further ahead (Kraken's AddOrder: 60 s). So one
 * that still takes an order is behind by at most the rest of this, and makes the order at most that much too late.
 */
const DEADLINE_AHEAD_MAX_MS = 60_000;

/** @throws Error when no order could be placed with them, or not always. */
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
      `ORDER_SETTLE_SECONDS and ORDER_DEADLINE_SECONDS must be ${DEADLINE_AHEAD_MAX_MS / 1_000} or more together`,
    );
  }
}
