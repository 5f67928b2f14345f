import { Module } from '@nestjs/common';
import { QueueModule } from '#platform/queue';
import { ReconcileWithdrawalProcessor } from './execution/reconcile-withdrawal.processor.js';
import { SweepWithdrawals } from './execution/sweep-withdrawals.js';
import { ReconcileWithdrawalJob } from './execution/withdrawal.jobs.js';
import { WithdrawalModule } from './withdrawal.module.js';

/** What the worker does for withdrawals; imported by the worker alone. */
@Module({
  imports: [WithdrawalModule, QueueModule.forJobs(ReconcileWithdrawalJob)],
  providers: [ReconcileWithdrawalProcessor, SweepWithdrawals],
})
export class WithdrawalWorkerModule {}
