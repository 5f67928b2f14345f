import { InvalidConfig, type Config } from '#platform/config';

/**
 * Margin by which ORDER_LEASE_MS must exceed EXCHANGE_SUBMIT_TIMEOUT_MS, because some time passes between the start of
 * an order's lease and the submission.
 */
const LEASE_MARGIN_MS = 250;
/** Margin by which the submission deadline must still be in the future when the order arrives at the exchange. */
const DEADLINE_MARGIN_MS = 3_000;

/** @throws InvalidConfig when orders with these settings could not be sent in time */
export function requireSoundTimes({ values, constants }: Pick<Config, 'values' | 'constants'>): void {
  const { EXCHANGE_SUBMIT_TIMEOUT_MS } = values;
  const { ORDER_DEADLINE_SECONDS } = constants;
  const sendMs = constants.ORDER_LEASE_MS - EXCHANGE_SUBMIT_TIMEOUT_MS;
  if (sendMs < LEASE_MARGIN_MS) {
    const longestMs = constants.ORDER_LEASE_MS - LEASE_MARGIN_MS;
    throw new InvalidConfig([
      `EXCHANGE_SUBMIT_TIMEOUT_MS: must be at most ${longestMs}, so that a submission ends within the lease of its order`,
    ]);
  }
  const leastSeconds = (sendMs + DEADLINE_MARGIN_MS) / 1_000;
  if (ORDER_DEADLINE_SECONDS < leastSeconds) {
    throw new InvalidConfig([
      `ORDER_DEADLINE_SECONDS: must be at least ${leastSeconds}; with this EXCHANGE_SUBMIT_TIMEOUT_MS, a lower deadline could pass before an order reaches the exchange`,
    ]);
  }
}
