import { defineJob } from '#platform/queue';

/**
 * Compares one wallet of a restored database with its exchange. It has one attempt, because the sweep enqueues the
 * wallet again while it is due.
 */
export const CompareWalletJob = defineJob<{ walletId: string }>('wallet.compare', {
  attempts: 1,
  backoffMs: 1_000,
  concurrency: 'WITHDRAWAL_CONCURRENCY',
});
