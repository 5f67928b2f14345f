import { WorkerHost } from '@nestjs/bullmq';
import type { Job } from 'bullmq';
import { JobProcessor } from '#platform/queue';
import { RefreshGrantJob } from './grants.jobs.js';
import { RefreshGrant } from './refresh-grant.js';

@JobProcessor(RefreshGrantJob)
export class RefreshGrantProcessor extends WorkerHost {
  constructor(private readonly refreshGrant: RefreshGrant) {
    super();
  }

  /** Renews the tokens. A late or repeated job finds another revision and makes no request. */
  async process({ data: { walletId, revision } }: Job<{ walletId: string; revision: string }>): Promise<void> {
    await this.refreshGrant.execute(walletId, revision);
  }
}
