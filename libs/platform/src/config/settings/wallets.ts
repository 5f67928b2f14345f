import { duration, integer } from './kinds.js';

export const walletsSettings = {
  CREDENTIALS_KEEP_SECONDS: integer(
    86_400,
    60,
    604_800,
    'How long sealed credentials that were replaced, or whose wallet was deleted, are kept at most for withdrawals and orders that are not settled.',
  ),
  CREDENTIALS_SWEEP_SECONDS: integer(
    60,
    1,
    3_600,
    'How often a worker erases kept credentials and collected codes whose time is over.',
  ),
  WALLET_SYNC_SECONDS: integer(
    900,
    5,
    86_400,
    'How often the balances of each wallet are refreshed in the background.',
  ),
  WALLET_SYNC_SWEEP_MS: integer(1_000, 50, 3_000, 'How often a worker looks for wallets that are due.'),
  WALLET_SYNC_BATCH: integer(
    500,
    1,
    10_000,
    'Wallets that one sweep takes up at most, less those that wait in the queue already.',
  ),
  WALLET_SYNC_CONCURRENCY: integer(20, 1, 1_000, 'Wallets that one worker process refreshes at once.'),
  WALLET_SYNC_PER_SECOND: integer(
    50,
    1,
    100_000,
    'Wallets a second that all workers together refresh: the budget of the address from which they call the exchanges.',
  ),
  WALLET_SYNC_BACKOFF_SECONDS: integer(
    30,
    1,
    86_400,
    'First pause after a refresh that got no answer, at most WALLET_SYNC_SECONDS; doubles with each failure in a row. After a definite refusal (such as invalid credentials) the first pause is WALLET_SYNC_SECONDS.',
  ),
  WALLET_SYNC_BACKOFF_MAX_SECONDS: integer(
    86_400,
    5,
    604_800,
    'Longest pause between two refreshes of a wallet whose credentials are invalid or whose exchange fails.',
  ),
  WALLET_SYNC_PAUSE_FAILURES: integer(
    10,
    1,
    1_000,
    'Refreshes in a row without an answer of one exchange after which a worker process stops asking it.',
  ),
  WALLET_SYNC_PAUSE_SECONDS: integer(
    30,
    1,
    3_600,
    'How long it then waits between two single calls that try whether the exchange answers again.',
  ),
  WALLET_DELETE_AFTER: duration(
    '1h',
    1_000,
    30 * 86_400_000,
    'How long a live exchange has to refuse a key before the wallet is deleted, where a call asked for it (`autoDeleteIfInvalid`). The worker asks again meanwhile; at an installation without another key at this exchange it takes 24 times as long. Seconds, or a number with a unit (`s`, `m`, `h`, `d`); from 1 second to 30 days.',
  ),
  WALLET_RECHECK_CONCURRENCY: integer(
    5,
    1,
    1_000,
    'Wallets with refused credentials that one worker process asks about again at once.',
  ),
};
