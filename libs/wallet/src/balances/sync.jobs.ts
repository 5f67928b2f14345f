import { defineJob } from '#platform/queue';

/**
 * Refreshes the balances of some due wallets, which the job takes when it runs. The job has one attempt, because
 * `wallets.next_sync_at` stores when to try again.
 */
export const SyncWalletsJob = defineJob<Record<string, never>>('wallet.sync', {
  concurrency: 'WALLET_SYNC_CONCURRENCY',
  perSecond: 'WALLET_SYNC_PER_SECOND',
  rowsPerJob: 10,
});
