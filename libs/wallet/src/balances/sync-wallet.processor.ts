import { WorkerHost } from '@nestjs/bullmq';
import type { Job } from 'bullmq';
import { JobProcessor } from '#platform/queue';
import { SyncWalletJob } from './sync.jobs.js';
import { SyncWallet } from './sync-wallet.js';

@JobProcessor(SyncWalletJob)
export class SyncWalletProcessor extends WorkerHost {
  constructor(private readonly syncWallet: SyncWallet) {
    super();
  }

  async process(job: Job<{ walletId: string }>): Promise<void> {
    await this.syncWallet.execute(job.data.walletId);
  }
}
