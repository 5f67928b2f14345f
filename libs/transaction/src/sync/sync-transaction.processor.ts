import { WorkerHost } from '@nestjs/bullmq';
import type { Job } from 'bullmq';
import type { HistoryKind } from '#exchange';
import { JobProcessor } from '#platform/queue';
import { SyncTransactions } from './sync-transactions.js';
import { SyncTransactionsJob } from './sync.jobs.js';

@JobProcessor(SyncTransactionsJob)
export class SyncTransactionProcessor extends WorkerHost {
  constructor(private readonly syncTransactions: SyncTransactions) {
    super();
  }

  async process(job: Job<{ walletId: string; kind: HistoryKind }>): Promise<void> {
    await this.syncTransactions.execute(job.data);
  }
}
