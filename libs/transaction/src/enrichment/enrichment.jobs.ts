import { defineJob } from '#platform/queue';

/**
 * Looks up one transaction on its chain. The job has one attempt, because the sweep enqueues the transaction again
 * while its row is due.
 */
export const EnrichTransactionJob = defineJob<{ transactionId: string }>('transaction.enrich', {
  attempts: 1,
  backoffMs: 1_000,
  concurrency: 'ENRICHMENT_CONCURRENCY',
});
