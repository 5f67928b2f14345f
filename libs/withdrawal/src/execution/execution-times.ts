import { InvalidConfig, type Config } from '#platform/config';

/** Least time by which a lease must outlast the submission time-out, so that there is time to send. */
const LEASE_MARGIN_MS = 250;

/** @throws InvalidConfig when the lease or the wait of an execution is too short for the exchange to respond. */
export function requireSoundTimes({ values, constants }: Pick<Config, 'values' | 'constants'>): void {
  const { EXCHANGE_SUBMIT_TIMEOUT_MS, EXECUTE_WAIT_MS } = values;
  const longestMs = constants.WITHDRAWAL_LEASE_MS - LEASE_MARGIN_MS;
  const problems: [boolean, string][] = [
    [
      EXCHANGE_SUBMIT_TIMEOUT_MS > longestMs,
      `must be at most ${longestMs}, so that a submission ends within the lease of its attempt`,
    ],
    [EXCHANGE_SUBMIT_TIMEOUT_MS >= EXECUTE_WAIT_MS, 'must be below EXECUTE_WAIT_MS'],
  ];
  const found = problems.filter(([isThere]) => isThere).map(([, text]) => `EXCHANGE_SUBMIT_TIMEOUT_MS: ${text}`);
  if (found.length > 0) throw new InvalidConfig(found);
}
