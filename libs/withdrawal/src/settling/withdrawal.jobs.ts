import { defineJob } from '#platform/queue';

/**
 * Settles one withdrawal from the exchange's history. The job has one attempt, because the sweep enqueues the
 * withdrawal again as long as a check is due.
 */
export const ReconcileWithdrawalJob = defineJob<{ withdrawalId: string }>('withdrawal.reconcile', {
  concurrency: 10,
});
