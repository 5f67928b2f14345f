import { WorkerHost } from '@nestjs/bullmq';
import type { Job } from 'bullmq';
import { JobProcessor } from '#platform/queue';
import { RefreshTicker } from './refresh-ticker.js';
import { RefreshTickerJob } from './ticker.jobs.js';

@JobProcessor(RefreshTickerJob)
export class RefreshTickerProcessor extends WorkerHost {
  constructor(private readonly refreshTicker: RefreshTicker) {
    super();
  }

  async process(job: Job<{ exchange: string }>): Promise<void> {
    await this.refreshTicker.execute(job.data.exchange);
  }
}
