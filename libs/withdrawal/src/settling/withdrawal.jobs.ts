import { defineJob } from '#platform/queue';

/**
 * Settles one withdrawal from the exchange's history. It has one attempt, because the sweep enqueues the withdrawal
 * again while it is due.
 */
export const ReconcileWithdrawalJob = defineJob<{ withdrawalId: string }>('withdrawal.reconcile', {
  attempts: 1,
  backoffMs: 1_000,
  concurrency: 'WITHDRAWAL_CONCURRENCY',
});
