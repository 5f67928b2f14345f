import type { Config } from '#platform/config';

type Times = Pick<Config['values'], 'ORDER_LEASE_MS' | 'ORDER_DEADLINE_SECONDS' | 'EXCHANGE_SUBMIT_TIMEOUT_MS'>;

/** A lease outlives the submission by at least this, so that something can be sent in it. */
const LEASE_MARGIN_MS = 250;
/** An exchange wants a deadline that is still ahead when the order arrives. */
const DEADLINE_MARGIN_MS = 3_000;

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
}
