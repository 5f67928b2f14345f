import { defineJob } from '#platform/queue';

/** Looks one transaction up on its chain. One attempt: the sweep wakes it again while the row is due. */
export const EnrichTransactionJob = defineJob<{ transactionId: string }>('transaction.enrich', {
  attempts: 1,
  backoffMs: 1_000,
  concurrency: 'ENRICHMENT_CONCURRENCY',
});
