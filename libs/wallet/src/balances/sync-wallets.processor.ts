import { WorkerHost } from '@nestjs/bullmq';
import { JobProcessor } from '#platform/queue';
import { SyncDueWallets } from './sync-due-wallets.js';
import { SyncWalletsJob } from './sync.jobs.js';

@JobProcessor(SyncWalletsJob)
export class SyncWalletsProcessor extends WorkerHost {
  constructor(private readonly syncDueWallets: SyncDueWallets) {
    super();
  }

  async process(): Promise<void> {
    await this.syncDueWallets.execute();
  }
}
