import { Module } from '@nestjs/common';
import { MarketModule } from '#market';
import { QueueModule } from '#platform/queue';
import { WalletModule } from '#wallet';
import { EnrichTransactionProcessor } from './enrichment/enrich-transaction.processor.js';
import { EnrichTransactionJob } from './enrichment/enrichment.jobs.js';
import { EnrichmentModule } from './enrichment/enrichment.module.js';
import { SweepEnrichment } from './enrichment/sweep-enrichment.js';
import { HistoryWriter } from './sync/history-writer.js';
import { SweepSyncs } from './sync/sweep-syncs.js';
import { SyncMetrics } from './sync/sync.metrics.js';
import { SyncStore } from './sync/sync-store.js';
import { SyncTransactionProcessor } from './sync/sync-transaction.processor.js';
import { SyncTransactions } from './sync/sync-transactions.js';
import { SyncTransactionsJob } from './sync/sync.jobs.js';
import { TransactionModule } from './history/transaction.module.js';

/** The background work on histories; only the worker process imports it. */
@Module({
  imports: [
    EnrichmentModule,
    MarketModule,
    QueueModule.forJobs(EnrichTransactionJob, SyncTransactionsJob),
    TransactionModule,
    WalletModule,
  ],
  providers: [
    EnrichTransactionProcessor,
    HistoryWriter,
    SweepEnrichment,
    SweepSyncs,
    SyncMetrics,
    SyncStore,
    SyncTransactionProcessor,
    SyncTransactions,
  ],
})
export class TransactionWorkerModule {}
