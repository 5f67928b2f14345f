import { defineJob } from '#platform/queue';

/**
 * Compares one wallet of a restored database with its exchange. The job has one attempt, because the sweep enqueues the
 * wallet again as long as its comparison is due.
 */
export const CompareWalletJob = defineJob<{ walletId: string }>('wallet.compare', {
  concurrency: 10,
});
