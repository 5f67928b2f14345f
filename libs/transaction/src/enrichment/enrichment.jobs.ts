import { defineJob } from '#platform/queue';
import { LOOK_UPS_MAX } from './chain.js';

/**
 * Looks up one transaction on its chain. The job has one attempt, because the sweep enqueues the transaction again
 * while its row is due.
 */
export const EnrichTransactionJob = defineJob<{ transactionId: string }>('transaction.enrich', {
  concurrency: LOOK_UPS_MAX,
});
