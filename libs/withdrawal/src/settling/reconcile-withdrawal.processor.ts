import { WorkerHost } from '@nestjs/bullmq';
import type { Job } from 'bullmq';
import { JobProcessor } from '#platform/queue';
import { ReconcileWithdrawal } from './reconcile-withdrawal.js';
import { ReconcileWithdrawalJob } from './withdrawal.jobs.js';

@JobProcessor(ReconcileWithdrawalJob)
export class ReconcileWithdrawalProcessor extends WorkerHost {
  constructor(private readonly reconcileWithdrawal: ReconcileWithdrawal) {
    super();
  }

  async process(job: Job<{ withdrawalId: string }>): Promise<void> {
    await this.reconcileWithdrawal.execute(job.data.withdrawalId);
  }
}
