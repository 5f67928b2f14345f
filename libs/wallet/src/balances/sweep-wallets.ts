import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { Clock } from '#platform/clock';
import { Config } from '#platform/config';
import { Database } from '#platform/database';
import { PeriodicTasks } from '#platform/lifecycle';
import { JobQueue, rowsPerJob } from '#platform/queue';
import { SyncWalletsJob } from './sync.jobs.js';

/** Enqueues jobs for wallets that are due for a refresh; one job refreshes several. It runs in every worker. */
@Injectable()
export class SweepWallets implements OnApplicationBootstrap {
  constructor(
    private readonly db: Database,
    private readonly jobs: JobQueue,
    private readonly clock: Clock,
    private readonly config: Config,
    private readonly periodicTasks: PeriodicTasks,
  ) {}

  onApplicationBootstrap(): void {
    this.periodicTasks.startDueWork('sweep of wallets', this.config.constants.WALLET_SYNC_SWEEP_MS, () =>
      this.execute(),
    );
  }

  /** Runs one sweep. Work beyond WALLET_SYNC_BATCH stays in the rows and does not fill the queue. */
  async execute(): Promise<void> {
    const [row] = await this.db.query<{ due: number }>(
      `select count(*)::int as due
         from (select from wallets w where deleted_at is null and next_sync_at <= $1
                and not exists (select from stopped_projects s where s.id = w.project_id) limit $2) as due_wallets`,
      [this.clock.now(), this.config.constants.WALLET_SYNC_BATCH],
    );
    const jobs = Math.ceil((row?.due ?? 0) / rowsPerJob(SyncWalletsJob, this.config));
    if (jobs > 0) await this.jobs.fill(SyncWalletsJob, jobs);
  }
}
