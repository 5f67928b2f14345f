import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { Config } from '#platform/config';
import { PeriodicTasks } from '#platform/lifecycle';
import { JobQueue } from '#platform/queue';
import { ReconcileWithdrawalJob } from './withdrawal.jobs.js';
import { WithdrawalStore } from '../withdrawals/withdrawal-store.js';
import { WithdrawalTime } from '../quote/withdrawal-time.js';

/**
 * Enqueues a job for each withdrawal that is due for a check, the longest overdue first. It runs in every worker. A
 * withdrawal that a worker has taken is due again after one lease, so that no other worker takes it at once and a lost
 * job is repeated.
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
   * Runs one sweep. Returns the number of withdrawals that it has enqueued.
   * @throws HostClockRefused, because a worker whose clock is ahead would keep rows from the other workers for too long
   */
  async execute(): Promise<number> {
    const time = await this.time.read();
    const due = await this.store.takeDue(time.now());
    const entries = due.map((withdrawalId) => ({ id: withdrawalId, payload: { withdrawalId } }));
    await this.jobs.enqueueAll(ReconcileWithdrawalJob, entries);
    return due.length;
  }
}
