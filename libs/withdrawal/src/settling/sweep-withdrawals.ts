import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { Config } from '#platform/config';
import { PeriodicTasks } from '#platform/lifecycle';
import { JobQueue } from '#platform/queue';
import { ReconcileWithdrawalJob } from './withdrawal.jobs.js';
import { WithdrawalStore } from '../withdrawals/withdrawal-store.js';
import { WithdrawalTime } from '../quote/withdrawal-time.js';

/**
 * The source of all work on withdrawals: every few seconds, in every worker, the rows that are due become jobs. A row is
 * out of sight for one lease, so that workers share them and a lost job comes back.
 */
@Injectable()
export class SweepWithdrawals implements OnApplicationBootstrap {
  constructor(
    private readonly store: WithdrawalStore,
    private readonly jobs: JobQueue,
    private readonly time: WithdrawalTime,
    private readonly config: Config,
    private readonly periodicTasks: PeriodicTasks,
  ) {}

  onApplicationBootstrap(): void {
    this.periodicTasks.start('sweep of withdrawals', this.config.constants.WITHDRAWAL_SWEEP_MS, () => this.execute());
  }

  /**
   * One sweep; returns how many rows became jobs.
   * @throws HostClockRefused: a worker whose clock is ahead would put rows out of sight of the others for that long.
   */
  async execute(): Promise<number> {
    const time = await this.time.read();
    const due = await this.store.takeDue(time.now());
    const entries = due.map((withdrawalId) => ({ id: withdrawalId, payload: { withdrawalId } }));
    await this.jobs.enqueueAll(ReconcileWithdrawalJob, entries);
    return due.length;
  }
}
