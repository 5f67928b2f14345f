import { defineJob } from '#platform/queue';

/** Settles one withdrawal from the exchange's history. One attempt: the sweep wakes it again while the row is due. */
export const ReconcileWithdrawalJob = defineJob<{ withdrawalId: string }>('withdrawal.reconcile', {
  attempts: 1,
  backoffMs: 1_000,
  concurrency: 'WITHDRAWAL_CONCURRENCY',
});
