import { defineJob } from '#platform/queue';

/** Looks up one transaction on its chain. One attempt: the sweep repeats it while the row is due. */
export const EnrichTransactionJob = defineJob<{ transactionId: string }>('transaction.enrich', {
  attempts: 1,
  backoffMs: 1_000,
  concurrency: 'ENRICHMENT_CONCURRENCY',
});
