import { WorkerHost } from '@nestjs/bullmq';
import type { Job } from 'bullmq';
import { JobProcessor } from '#platform/queue';
import { CompareWallet } from './compare-wallet.js';
import { CompareWalletJob } from '../epoch/epoch.jobs.js';

@JobProcessor(CompareWalletJob)
export class CompareWalletProcessor extends WorkerHost {
  constructor(private readonly compareWallet: CompareWallet) {
    super();
  }

  async process(job: Job<{ walletId: string }>): Promise<void> {
    await this.compareWallet.execute(job.data.walletId);
  }
}
