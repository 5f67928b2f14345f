import { duration, integer } from './kinds.js';

export const walletsSettings = {
  CREDENTIALS_KEEP_SECONDS: integer(
    86_400,
    60,
    604_800,
    'Longest time for which replaced credentials, or those of a deleted wallet, stay stored (encrypted) for withdrawals and orders that are not settled.',
  ),
  CREDENTIALS_SWEEP_SECONDS: integer(
    60,
    1,
    3_600,
    'How often a worker erases expired credentials and verification codes.',
  ),
  WALLET_SYNC_SECONDS: integer(
    900,
    5,
    86_400,
    'How often the balances of each wallet are refreshed in the background.',
  ),
  WALLET_SYNC_SWEEP_MS: integer(1_000, 50, 3_000, 'How often a worker looks for wallets that are due for a refresh.'),
  WALLET_SYNC_BATCH: integer(
    500,
    1,
    10_000,
    'Most wallets that one sweep enqueues, less those that are in the queue already.',
  ),
  WALLET_SYNC_CONCURRENCY: integer(20, 1, 1_000, 'Wallets that one worker process refreshes at the same time.'),
  WALLET_SYNC_PER_SECOND: integer(
    50,
    1,
    100_000,
    'Wallets a second that all workers together refresh. Limits the calls from the installation’s egress addresses to the exchanges.',
  ),
  WALLET_SYNC_BACKOFF_SECONDS: integer(
    30,
    1,
    86_400,
    'First pause after a refresh without a response, at most WALLET_SYNC_SECONDS. It doubles with each further failure. After a definite refusal (such as invalid credentials) the first pause is WALLET_SYNC_SECONDS.',
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
    'After this many refreshes in a row without a response of one exchange, a worker process stops calling that exchange.',
  ),
  WALLET_SYNC_PAUSE_SECONDS: integer(
    30,
    1,
    3_600,
    'Pause between two single calls that then test whether the exchange responds again.',
  ),
  WALLET_DELETE_AFTER: duration(
    '1h',
    1_000,
    30 * 86_400_000,
    'How long a live exchange must refuse a key before the wallet is deleted, when a call asked for the deletion (`autoDeleteIfInvalid`). The worker repeats the check in the meantime. It takes 24 times as long in an installation without another key at the same exchange. Seconds, or a number with a unit (`s`, `m`, `h`, `d`); from 1 second to 30 days.',
  ),
  WALLET_RECHECK_CONCURRENCY: integer(
    5,
    1,
    1_000,
    'Wallets with refused credentials that one worker process checks at the same time.',
  ),
};
