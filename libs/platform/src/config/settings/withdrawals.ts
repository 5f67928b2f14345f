import { z } from 'zod';
import { integer } from './kinds.js';

const FEE_ESTIMATES = /^([a-z0-9]+:[A-Z0-9]+:[a-z0-9-]+=\d{1,20}(\.\d{1,18})?(,(?=[a-z])|$))*$/;

export const withdrawalsSettings = {
  QUOTE_TTL_SECONDS: integer(300, 1, 86_400).describe('How long a withdrawal quote can be executed after it was made.'),
  QUOTES_KEEP_DAYS: integer(30, 3, 365).describe(
    'How long a quote that was not executed is stored, and the verifications of every quote. Executed quotes are stored without end.',
  ),
  EXECUTE_WAIT_MS: integer(25_000, 100, 60_000).describe(
    'Longest execution of a quote, and longest wait of a repeated call for the outcome of the first call.',
  ),
  WITHDRAWAL_FEE_ESTIMATES: z
    .string()
    .regex(FEE_ESTIMATES, 'must be entries such as <exchange>:BTC:bitcoin=0.00005, separated by commas')
    .default('')
    .describe(
      'Your estimates of withdrawal fees at exchanges that state a fee only after the withdrawal (docs/exchanges.md lists them): `exchange:asset:network=fee`, separated by commas. Such an exchange offers no withdrawals without an estimate. An estimate for another exchange or an unknown network is refused. A quote states the estimate, and the exchange may debit another fee.',
    ),
  WITHDRAWAL_RATE_PER_MINUTE: integer(10, 1, 10_000).describe('Maximum number of executions a minute for one wallet.'),
  WITHDRAWAL_UNCONFIRMED_SECONDS: integer(14_400, 600, 604_800).describe(
    'A withdrawal that was or may have been sent needs an operator’s review after this time, when the exchange does not show it, shows it with an undocumented status, or refuses the query.',
  ),
  RESTORE_LOOKBACK_HOURS: integer(48, 24, 720).describe(
    'After a restore of the database: how far before the restore the exchanges’ histories are searched for withdrawals that the database has lost. Must be longer than the age of the oldest backup in use.',
  ),
};
