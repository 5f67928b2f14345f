import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { tickerExchanges } from '#exchange';
import { Config } from '#platform/config';
import { Repeats } from '#platform/lifecycle';
import { JobQueue } from '#platform/queue';
import { PriceHistory } from './price-history.js';
import { RefreshTickerJob } from './ticker.jobs.js';

/** The source of the worker's work on prices: each exchange by a schedule of its own, which all workers share. */
@Injectable()
export class ScheduleTickers implements OnApplicationBootstrap {
  constructor(
    private readonly jobs: JobQueue,
    private readonly history: PriceHistory,
    private readonly repeats: Repeats,
    private readonly config: Config,
  ) {}

  onApplicationBootstrap(): void {
    const { PRICE_HISTORY_SWEEP_SECONDS, TICKERS_REFRESH_SECONDS } = this.config.values;
    for (const exchange of tickerExchanges) {
      this.jobs.schedule(RefreshTickerJob, exchange, TICKERS_REFRESH_SECONDS * 1_000, { exchange });
    }
    const erase = () => this.history.eraseExpired();
    this.repeats.start('erasure of expired prices', PRICE_HISTORY_SWEEP_SECONDS * 1_000, erase);
  }
}
