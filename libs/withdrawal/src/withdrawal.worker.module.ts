import { Module } from '@nestjs/common';
import { QueueModule } from '#platform/queue';
import { CompareWalletProcessor } from './comparing/compare-wallet.processor.js';
import { CompareWalletJob } from './epoch/epoch.jobs.js';
import { SweepRestoredDatabase } from './epoch/sweep-restored-database.js';
import { ExpiredQuotes } from './quote/expired-quotes.js';
import { UnsettledWithdrawalsMetrics } from './withdrawals/unsettled-withdrawals.metrics.js';
import { ReconcileWithdrawalProcessor } from './settling/reconcile-withdrawal.processor.js';
import { SweepWithdrawals } from './settling/sweep-withdrawals.js';
import { ReconcileWithdrawalJob } from './settling/withdrawal.jobs.js';
import { SweepAbandonedExecutions } from './execution/sweep-abandoned-executions.js';
import { WithdrawalModule } from './withdrawal.module.js';

/** The periodic tasks and job processors of withdrawals. Only the worker imports it. */
@Module({
  imports: [WithdrawalModule, QueueModule.forJobs(ReconcileWithdrawalJob, CompareWalletJob)],
  providers: [
    CompareWalletProcessor,
    ExpiredQuotes,
    UnsettledWithdrawalsMetrics,
    ReconcileWithdrawalProcessor,
    SweepAbandonedExecutions,
    SweepRestoredDatabase,
    SweepWithdrawals,
  ],
})
export class WithdrawalWorkerModule {}
