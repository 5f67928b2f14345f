import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { Clock } from '#platform/clock';
import { Config } from '#platform/config';
import { Repeats } from '#platform/lifecycle';
import { JobQueue } from '#platform/queue';
import { ReconcileWithdrawalJob } from './withdrawal.jobs.js';
import { WithdrawalStore } from './withdrawal-store.js';

/**
 * The source of all work on withdrawals: every few seconds, in every worker, the rows that are due become jobs. A row is
 * out of sight for one lease, so that workers share them and a lost job comes back.
 */
@Injectable()
export class SweepWithdrawals implements OnApplicationBootstrap {
  constructor(
    private readonly store: WithdrawalStore,
    private readonly jobs: JobQueue,
    private readonly clock: Clock,
    private readonly config: Config,
    private readonly repeats: Repeats,
  ) {}

  onApplicationBootstrap(): void {
    this.repeats.start('sweep of withdrawals', this.config.values.WITHDRAWAL_SWEEP_MS, () => this.execute());
  }

  /** One sweep; returns how many rows became jobs. */
  async execute(): Promise<number> {
    const due = await this.store.takeDue(this.clock.now());
    const entries = due.map((withdrawalId) => ({ id: withdrawalId, payload: { withdrawalId } }));
    await this.jobs.enqueueAll(ReconcileWithdrawalJob, entries);
    return due.length;
  }
}
