import { WorkerHost } from '@nestjs/bullmq';
import type { Job } from 'bullmq';
import { JobProcessor } from '#platform/queue';
import { RecheckWalletJob } from './recheck.jobs.js';
import { RecheckWallet } from './recheck-wallet.js';

@JobProcessor(RecheckWalletJob)
export class RecheckWalletProcessor extends WorkerHost {
  constructor(private readonly recheckWallet: RecheckWallet) {
    super();
  }

  async process(job: Job<{ walletId: string }>): Promise<void> {
    await this.recheckWallet.execute(job.data.walletId);
  }
}
