import { duration, integer } from './kinds.js';

export const walletsSettings = {
  WALLET_SYNC_SECONDS: integer(900, 5, 86_400).describe(
    'How often the balances of each wallet are refreshed in the background.',
  ),
  WALLET_SYNC_CONCURRENCY: integer(20, 1, 1_000).describe(
    'Maximum number of wallets that one worker process refreshes at the same time.',
  ),
  WALLET_SYNC_PER_SECOND: integer(50, 1, 100_000).describe(
    'Maximum number of wallets that all workers together refresh in a second. It limits the calls from the installation’s egress addresses to the exchanges.',
  ),
  WALLET_DELETE_AFTER: duration('1h', 10 * 60_000, 30 * 86_400_000).describe(
    'How long a live exchange must refuse a key before the wallet is deleted, when a call asked for the deletion (`autoDeleteIfInvalid`). The worker repeats the check in the meantime. If the installation has no other key at the same exchange, the exchange must refuse the key for 24 times as long. Seconds, or a number with a unit (`s`, `m`, `h`, `d`); from 10 minutes, because an exchange may refuse good keys for minutes during an outage, to 30 days.',
  ),
};
