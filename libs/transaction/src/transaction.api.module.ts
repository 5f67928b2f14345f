import { Module } from '@nestjs/common';
import { AccessModule } from '#access';
import { EnrichmentController } from './enrichment/enrichment.controller.js';
import { EnrichmentModule } from './enrichment/enrichment.module.js';
import { TransactionController } from './history/transaction.controller.js';
import { TransactionModule } from './history/transaction.module.js';

/** The endpoints of transactions; only the API process imports it. */
@Module({
  imports: [AccessModule, EnrichmentModule, TransactionModule],
  controllers: [EnrichmentController, TransactionController],
})
export class TransactionApiModule {}
