import { Module } from '@nestjs/common';
import { ExchangeModule } from '#exchange';
import { QueueModule } from '#platform/queue';
import { ExpiredPrices } from './expired-prices.js';
import { FollowTickers } from './follow-tickers.js';
import { MarketModule } from './market.module.js';
import { RefreshTicker } from './refresh-ticker.js';
import { RefreshTickerProcessor } from './refresh-ticker.processor.js';
import { ScheduleTickers } from './schedule-tickers.js';
import { RefreshTickerJob } from './ticker.jobs.js';
import { WatchTickers } from './watch-tickers.js';

/** The refresh of tickers. Only the worker imports it. */
@Module({
  imports: [MarketModule, ExchangeModule, QueueModule.forJobs(RefreshTickerJob)],
  providers: [ExpiredPrices, FollowTickers, RefreshTicker, RefreshTickerProcessor, ScheduleTickers, WatchTickers],
})
export class MarketWorkerModule {}
