import { Module } from '@nestjs/common';
import { TransactionModule } from '../history/transaction.module.js';
import { Chains } from './chains.js';
import { EnrichTransaction } from './enrich-transaction.js';
import { EnrichmentStore } from './enrichment-store.js';

/** Look-ups of transactions on chains. */
@Module({
  imports: [TransactionModule],
  providers: [Chains, EnrichmentStore, EnrichTransaction],
  exports: [Chains, EnrichmentStore, EnrichTransaction],
})
export class EnrichmentModule {}
