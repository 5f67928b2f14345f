import { Processor, WorkerHost } from '@nestjs/bullmq';
import type { Job } from 'bullmq';
import { CompareWallet } from './compare-wallet.js';
import { CompareWalletJob } from './epoch.jobs.js';

@Processor(CompareWalletJob.name, { concurrency: CompareWalletJob.options.concurrency, maxStalledCount: 0 })
export class CompareWalletProcessor extends WorkerHost {
  constructor(private readonly compareWallet: CompareWallet) {
    super();
  }

  async process(job: Job<{ walletUuid: string }>): Promise<void> {
    await this.compareWallet.execute(job.data.walletUuid);
  }
}
