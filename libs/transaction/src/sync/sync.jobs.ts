import { defineJob } from '#platform/queue';

/** Reads some pages of one history. The job has one attempt, because `transaction_syncs` stores when to try again. */
export const SyncTransactionsJob = defineJob<{ walletId: string; kind: string }>('transaction.sync', {
  concurrency: 'TRANSACTION_SYNC_CONCURRENCY',
});
