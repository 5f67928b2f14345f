import { defineJob } from '#platform/queue';

/** Refreshes the balances of one wallet. One attempt: the row stores when to try again. */
export const SyncWalletJob = defineJob<{ walletId: string }>('wallet.sync', {
  attempts: 1,
  backoffMs: 1_000,
  concurrency: 'WALLET_SYNC_CONCURRENCY',
  perSecond: 'WALLET_SYNC_PER_SECOND',
});
