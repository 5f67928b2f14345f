import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { tickerExchanges } from '#exchange';
import { Config } from '#platform/config';
import { JobQueue } from '#platform/queue';
import { RefreshTickerJob } from './ticker.jobs.js';

/** Schedules the refresh of each exchange's tickers. All workers share the schedule. */
@Injectable()
export class ScheduleTickers implements OnApplicationBootstrap {
  constructor(
    private readonly jobs: JobQueue,
    private readonly config: Config,
  ) {}

  onApplicationBootstrap(): void {
    const { TICKERS_REFRESH_SECONDS } = this.config.values;
    for (const exchange of tickerExchanges) {
      this.jobs.schedule(RefreshTickerJob, exchange, TICKERS_REFRESH_SECONDS * 1_000, { exchange });
    }
  }
}
