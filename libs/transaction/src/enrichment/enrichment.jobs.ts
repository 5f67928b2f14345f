import { defineJob } from '#platform/queue';

/** Maximum number of look-ups at the same time in one worker process, and of calls to one chain API. */
export const LOOK_UPS_MAX = 5;

/**
 * Looks up one transaction on its chain. The job has one attempt, because the sweep enqueues the transaction again
 * while its row is due.
 */
export const EnrichTransactionJob = defineJob<{ transactionId: string }>('transaction.enrich', {
  concurrency: LOOK_UPS_MAX,
});
