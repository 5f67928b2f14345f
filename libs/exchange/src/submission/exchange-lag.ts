import type { Config } from '#platform/config';
import type { ExchangeSession } from '../port/exchange.port.js';

/**
 * The lag of an exchange that documents none: executed submissions were seen to appear in histories and balances up to
 * 3 seconds late.
 */
const DEFAULT_LAG_MS = 5_000;

/**
 * Returns the time in milliseconds after which an exchange shows what it has executed. A refusal of a submission counts
 * only when two looks at the account, this far apart, show no trace of the submission.
 */
export function lagOf(
  { lagMs = DEFAULT_LAG_MS }: Pick<ExchangeSession, 'lagMs'>,
  { constants }: Pick<Config, 'constants'>,
): number {
  return Math.min(lagMs, constants.EXCHANGE_LAG_MAX_MS);
}
