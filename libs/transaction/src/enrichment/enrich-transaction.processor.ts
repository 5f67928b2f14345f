import { WorkerHost } from '@nestjs/bullmq';
import type { Job } from 'bullmq';
import { JobProcessor } from '#platform/queue';
import { EnrichTransaction } from './enrich-transaction.js';
import { EnrichTransactionJob } from './enrichment.jobs.js';

@JobProcessor(EnrichTransactionJob)
export class EnrichTransactionProcessor extends WorkerHost {
  constructor(private readonly enrichTransaction: EnrichTransaction) {
    super();
  }

  async process(job: Job<{ transactionId: string }>): Promise<void> {
    await this.enrichTransaction.whenDue(job.data.transactionId);
  }
}
