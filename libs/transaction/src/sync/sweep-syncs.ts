import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { Config } from '#platform/config';
import { PeriodicTasks } from '#platform/lifecycle';
import { JobQueue } from '#platform/queue';
import { SYNC_BATCH, SyncStore } from './sync-store.js';
import { SyncTransactionsJob } from './sync.jobs.js';

/**
 * Makes rows for new wallets, and enqueues a job for each history that is due, the longest overdue first. It runs in
 * every worker. A taken row is not due again for one lease, so that workers share the work and a lost job is repeated.
 */
@Injectable()
export class SweepSyncs implements OnApplicationBootstrap {
  constructor(
    private readonly store: SyncStore,
    private readonly jobs: JobQueue,
    private readonly config: Config,
    private readonly periodicTasks: PeriodicTasks,
  ) {}

  onApplicationBootstrap(): void {
    this.periodicTasks.startDueWork('sweep of histories', this.config.constants.TRANSACTION_SYNC_SWEEP_MS, () =>
      this.execute(),
    );
  }

  /** @returns the number of histories that this sweep has enqueued. */
  async execute(): Promise<number> {
    await this.store.adopt();
    return this.jobs.enqueueDue(SyncTransactionsJob, SYNC_BATCH, async (room) => {
      const due = await this.store.takeDue(room);
      return due.map(({ walletId, kind }) => ({ id: `${walletId} ${kind}`, payload: { walletId, kind } }));
    });
  }
}
