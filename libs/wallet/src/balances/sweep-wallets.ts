import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { Clock } from '#platform/clock';
import { Config } from '#platform/config';
import { Database } from '#platform/database';
import { PeriodicTasks } from '#platform/lifecycle';
import { JobQueue } from '#platform/queue';
import { SyncWalletJob } from './sync.jobs.js';

/**
 * Makes jobs of the wallets that are due for a refresh, the longest overdue first. It runs in every worker. A taken
 * wallet is not due again for one lease, so that workers share the work and a lost job is repeated.
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
    this.periodicTasks.start('sweep of wallets', this.config.constants.WALLET_SYNC_SWEEP_MS, () => this.execute());
  }

  /**
   * Makes one sweep.
   * @returns how many wallets were taken.
   */
  async execute(): Promise<number> {
    // Rows, not the queue, hold the work that exceeds the workers. A wallet whose lease ends in the queue is taken
    // again; that is harmless for a waiting job, but must not grow without end.
    const room = this.config.constants.WALLET_SYNC_BATCH - (await this.jobs.backlog(SyncWalletJob));
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
    const leaseEnd = new Date(now.getTime() + this.config.constants.QUEUE_LEASE_MS);
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
