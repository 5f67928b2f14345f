import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { Clock } from '#platform/clock';
import { Config } from '#platform/config';
import { Database } from '#platform/database';
import { PeriodicTasks } from '#platform/lifecycle';
import { JobQueue } from '#platform/queue';
import { RefreshGrantJob } from './grants.jobs.js';

/**
 * Enqueues a job for each grant that is due for renewal, the longest overdue first. It runs in every worker. A taken
 * grant is not due again for one lease, so that workers share the work and a lost job is repeated.
 */
@Injectable()
export class SweepGrants implements OnApplicationBootstrap {
  constructor(
    private readonly db: Database,
    private readonly jobs: JobQueue,
    private readonly clock: Clock,
    private readonly config: Config,
    private readonly periodicTasks: PeriodicTasks,
  ) {}

  onApplicationBootstrap(): void {
    this.periodicTasks.startDueWork('sweep of grants', this.config.constants.GRANT_SWEEP_MS, () => this.execute());
  }

  /** @returns the number of grants that this sweep has enqueued. */
  async execute(): Promise<number> {
    const { GRANT_SWEEP_BATCH, QUEUE_LEASE_MS } = this.config.constants;
    return this.jobs.enqueueDue(RefreshGrantJob, GRANT_SWEEP_BATCH, async (room) => {
      const now = this.clock.now();
      const due = await this.db.query<{ walletId: string; revision: string }>(
        `update wallet_grants set next_refresh_at = $2
          where wallet_id in (select wallet_id from wallet_grants g where next_refresh_at <= $1
                                 and not exists (select from stopped_wallets s where s.wallet_id = g.wallet_id)
                               order by next_refresh_at limit $3 for no key update skip locked)
         returning wallet_id as "walletId", revision`,
        [now, new Date(now.getTime() + QUEUE_LEASE_MS), room],
      );
      return due.map((payload) => ({ id: payload.walletId, payload }));
    });
  }
}
