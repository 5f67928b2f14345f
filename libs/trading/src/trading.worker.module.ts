import { Module } from '@nestjs/common';
import { ExchangeModule } from '#exchange';
import { QueueModule } from '#platform/queue';
import { RefreshCatalogueJob } from './catalogue/catalogue.jobs.js';
import { RefreshCatalogueProcessor } from './catalogue/refresh-catalogue.processor.js';
import { ScheduleCatalogues } from './catalogue/schedule-catalogues.js';
import { OrdersInDoubtMetrics } from './following/orders-in-doubt.metrics.js';
import { SettleOrderJob } from './following/order.jobs.js';
import { SettleOrderProcessor } from './following/settle-order.processor.js';
import { SweepOrders } from './following/sweep-orders.js';
import { ExpiredOrders } from './orders/expired-orders.js';
import { TradingModule } from './trading.module.js';

/** The periodic tasks and job processors of catalogues and orders. Only the worker imports it. */
@Module({
  imports: [ExchangeModule, TradingModule, QueueModule.forJobs(RefreshCatalogueJob, SettleOrderJob)],
  providers: [
    ExpiredOrders,
    OrdersInDoubtMetrics,
    RefreshCatalogueProcessor,
    ScheduleCatalogues,
    SettleOrderProcessor,
    SweepOrders,
  ],
})
export class TradingWorkerModule {}
