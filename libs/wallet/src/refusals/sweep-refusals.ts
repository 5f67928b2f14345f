import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { Config } from '#platform/config';
import { PeriodicTasks } from '#platform/lifecycle';
import { JobQueue } from '#platform/queue';
import { CredentialRefusals } from './credential-refusals.js';
import { RecheckWalletJob } from './recheck.jobs.js';

/**
 * Enqueues a job for each wallet with refused credentials that is due for a check. It runs in every worker. A taken
 * wallet is not due again for one lease, so that workers share the work and a lost job is repeated.
 */
@Injectable()
export class SweepRefusals implements OnApplicationBootstrap {
  constructor(
    private readonly refusals: CredentialRefusals,
    private readonly jobs: JobQueue,
    private readonly config: Config,
    private readonly periodicTasks: PeriodicTasks,
  ) {}

  onApplicationBootstrap(): void {
    this.periodicTasks.startDueWork('sweep of refused wallets', this.config.constants.WALLET_SYNC_SWEEP_MS, () =>
      this.execute(),
    );
  }

  /** @returns the number of wallets that this sweep has enqueued. */
  async execute(): Promise<number> {
    return this.jobs.enqueueDue(RecheckWalletJob, this.config.constants.WALLET_SYNC_BATCH, async (room) => {
      const due = await this.refusals.takeDue(room);
      return due.map((payload) => ({ id: payload.walletId, payload }));
    });
  }
}
