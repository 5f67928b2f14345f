import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { Config } from '#platform/config';
import { PeriodicTasks } from '#platform/lifecycle';
import { JobQueue } from '#platform/queue';
import { EpochChecks } from './epoch-checks.js';
import { CompareWalletJob } from './epoch.jobs.js';
import { RestoredDatabase } from './restored-database.js';
import { WithdrawalTime } from '../quote/withdrawal-time.js';

/** Detects that the database was restored, and enqueues the comparison of its wallets. Runs in every worker. */
@Injectable()
export class SweepRestoredDatabase implements OnApplicationBootstrap {
  constructor(
    private readonly restored: RestoredDatabase,
    private readonly checks: EpochChecks,
    private readonly jobs: JobQueue,
    private readonly time: WithdrawalTime,
    private readonly config: Config,
    private readonly periodicTasks: PeriodicTasks,
  ) {}

  onApplicationBootstrap(): void {
    this.periodicTasks.start('sweep of a restored database', this.config.constants.WITHDRAWAL_SWEEP_MS, () =>
      this.execute(),
    );
  }

  async execute(): Promise<void> {
    await this.restored.detect();
    const time = await this.time.read();
    const due = await this.checks.takeDue(time.now());
    const entries = due.map((walletId) => ({ id: walletId, payload: { walletId } }));
    await this.jobs.enqueueAll(CompareWalletJob, entries);
  }
}
