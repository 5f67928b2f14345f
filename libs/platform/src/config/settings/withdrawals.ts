import { integer } from './kinds.js';

export const withdrawalsSettings = {
  QUOTE_TTL_SECONDS: integer(300, 1, 86_400, 'How long a withdrawal quote can be executed.'),
  EXECUTE_WAIT_MS: integer(
    25_000,
    100,
    60_000,
    'Longest execution, and longest wait of a repeated call for the first one’s result.',
  ),
  WITHDRAWAL_RATE_PER_MINUTE: integer(10, 1, 10_000, 'Executions a minute of one wallet.'),
  WITHDRAWAL_DRY_RUN_RATE_PER_MINUTE: integer(60, 1, 10_000, 'Dry runs a minute of one wallet.'),
  WITHDRAWAL_LEASE_MS: integer(
    30_000,
    500,
    300_000,
    'After this long in `submitting` without a result, an attempt counts as unknown. Above EXCHANGE_SUBMIT_TIMEOUT_MS.',
  ),
  WITHDRAWAL_SWEEP_MS: integer(5_000, 50, 7_000, 'How often a worker looks for withdrawals that are due.'),
  WITHDRAWAL_SWEEP_BATCH: integer(
    100,
    1,
    1_000,
    'Withdrawals that one sweep takes up; after a restore, wallets to be compared.',
  ),
  WITHDRAWAL_CONCURRENCY: integer(
    10,
    1,
    1_000,
    'Withdrawals that one worker process settles at once; after a restore, wallets that it compares at once.',
  ),
  WITHDRAWAL_CLEAN_LISTING_GAP_MS: integer(
    60_000,
    50,
    3_600_000,
    'Least time between two listings of the exchange that prove an absence.',
  ),
  WITHDRAWAL_ABSENCE_MS: integer(
    600_000,
    100,
    86_400_000,
    'Without a fence of the exchange: least time after an attempt before its absence can be proven. Also how long a restored database waits before it compares wallets with their exchanges.',
  ),
  WITHDRAWAL_CLOCK_SKEW_MS: integer(
    60_000,
    0,
    3_600_000,
    'How far the clock of an exchange may differ from the database’s: a request that ends by its own time may be accepted for so long after it.',
  ),
  WITHDRAWAL_UNCONFIRMED_SECONDS: integer(
    14_400,
    1,
    604_800,
    'How long an exchange may answer without showing a withdrawal that has left or may have, or refuse to answer, before an operator has to look.',
  ),
  RESTORE_LOOKBACK_HOURS: integer(
    48,
    1,
    720,
    'After the database was restored: how far before that the exchanges’ histories are searched for withdrawals that it has forgotten. Longer than the oldest backup that is used.',
  ),
};
