import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { Config } from '#platform/config';
import { PeriodicTasks } from '#platform/lifecycle';
import { JobQueue } from '#platform/queue';
import { SyncStore } from './sync-store.js';
import { SyncTransactionsJob } from './sync.jobs.js';

/**
 * The source of all reading of histories: in every worker, new wallets get their rows, and rows that are due become jobs,
 * the longest overdue first. A row is out of sight for one lease, so that workers share them and a lost job comes back.
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
    this.periodicTasks.start('sweep of histories', this.config.values.TRANSACTION_SYNC_SWEEP_MS, () => this.execute());
  }

  /** One sweep; returns how many rows became jobs. */
  async execute(): Promise<number> {
    await this.store.adopt();
    // What cannot be worked off waits in the rows, not in the queue.
    const room = this.config.values.TRANSACTION_SYNC_BATCH - (await this.jobs.backlog(SyncTransactionsJob));
    if (room <= 0) return 0;
    const due = await this.store.takeDue(room);
    const entries = due.map(({ walletId, kind }) => ({ id: `${walletId} ${kind}`, payload: { walletId, kind } }));
    await this.jobs.enqueueAll(SyncTransactionsJob, entries);
    return due.length;
  }
}
