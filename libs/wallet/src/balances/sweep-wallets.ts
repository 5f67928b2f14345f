import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { Clock } from '#platform/clock';
import { Config } from '#platform/config';
import { Database } from '#platform/database';
import { PeriodicTasks } from '#platform/lifecycle';
import { JobQueue } from '#platform/queue';
import { SyncWalletJob } from './sync.jobs.js';

/**
 * The source of background refreshes: in every worker, wallets that are due become jobs, the longest overdue first. A
 * wallet is out of sight for one lease, so that workers share them and a lost job comes back.
 */
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
    this.periodicTasks.start('sweep of wallets', this.config.values.WALLET_SYNC_SWEEP_MS, () => this.execute());
  }

  /** One sweep; returns how many wallets were taken up. */
  async execute(): Promise<number> {
    // What cannot be worked off waits in the rows, not in the queue: leases that end there are taken up once more, which
    // changes nothing for a job that still waits, but must not go on without end.
    const room = this.config.values.WALLET_SYNC_BATCH - (await this.jobs.backlog(SyncWalletJob));
    if (room <= 0) return 0;
    const due = await this.take(room);
    await this.jobs.enqueueAll(
      SyncWalletJob,
      due.map(({ id }) => ({ id, payload: { walletId: id } })),
    );
    return due.length;
  }

  private take(limit: number): Promise<{ id: string }[]> {
    const now = this.clock.now();
    const leaseEnd = new Date(now.getTime() + this.config.values.QUEUE_LEASE_MS);
    return this.db.query<{ id: string }>(
      `update wallets set next_sync_at = $2
        where id in (select id from wallets
                      where deleted_at is null and next_sync_at <= $1
                      order by next_sync_at limit $3
                        for no key update skip locked)
       returning id`,
      [now, leaseEnd, limit],
    );
  }
}
