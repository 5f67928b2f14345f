import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { Clock } from '#platform/clock';
import { Config } from '#platform/config';
import { Repeats } from '#platform/lifecycle';
import { LOGGER, type Logger } from '#platform/logging';
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
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  onApplicationBootstrap(): void {
    this.repeats.start('sweep of withdrawals', this.config.values.WITHDRAWAL_SWEEP_MS, () => this.execute());
  }

  /** One sweep; returns how many rows became jobs. One row's failure never stops the rest. */
  async execute(): Promise<number> {
    const due = await this.store.takeDue(this.clock.now());
    const results = await Promise.allSettled(
      due.map((withdrawalId) => this.jobs.enqueue(ReconcileWithdrawalJob, withdrawalId, { withdrawalId })),
    );
    for (const result of results) {
      if (result.status === 'rejected') this.logger.error({ err: result.reason as unknown }, 'withdrawal not enqueued');
    }
    return due.length;
  }
}
