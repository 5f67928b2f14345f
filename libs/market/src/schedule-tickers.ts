import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { tickerExchanges } from '#exchange';
import { Config } from '#platform/config';
import { PeriodicTasks } from '#platform/lifecycle';
import { JobQueue } from '#platform/queue';
import { PriceHistory } from './price-history.js';
import { RefreshTickerJob } from './ticker.jobs.js';

/** How often a worker deletes prices older than PRICE_HISTORY_DAYS. */
const ERASURE_MS = 3_600_000;

/** Schedules the refresh of each exchange, shared by all workers, and the erasure of old prices. */
@Injectable()
export class ScheduleTickers implements OnApplicationBootstrap {
  constructor(
    private readonly jobs: JobQueue,
    private readonly history: PriceHistory,
    private readonly periodicTasks: PeriodicTasks,
    private readonly config: Config,
  ) {}

  onApplicationBootstrap(): void {
    const { TICKERS_REFRESH_SECONDS } = this.config.values;
    for (const exchange of tickerExchanges) {
      this.jobs.schedule(RefreshTickerJob, exchange, TICKERS_REFRESH_SECONDS * 1_000, { exchange });
    }
    const erase = () => this.history.eraseExpired();
    this.periodicTasks.start('erasure of expired prices', ERASURE_MS, erase);
  }
}
