import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { tickerExchanges } from '#exchange';
import { Clock } from '#platform/clock';
import { Config } from '#platform/config';
import { PeriodicTasks } from '#platform/lifecycle';
import { LOGGER, type Logger } from '#platform/logging';
import { CurrentTickers } from './current-tickers.js';

/** Logs one line in the worker when the tickers of an exchange become stale, and one when they are fresh again. */
@Injectable()
export class WatchTickers implements OnApplicationBootstrap {
  private readonly stale = new Set<string>();
  private readonly startedAt: Date;

  constructor(
    private readonly current: CurrentTickers,
    private readonly clock: Clock,
    private readonly config: Config,
    private readonly periodicTasks: PeriodicTasks,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.startedAt = clock.now();
  }

  onApplicationBootstrap(): void {
    this.periodicTasks.start('watch over tickers', this.config.values.TICKERS_REFRESH_SECONDS * 1_000, () => {
      for (const exchange of tickerExchanges) this.check(exchange);
      return Promise.resolve();
    });
  }

  private check(exchange: string): void {
    const fetchedAt = this.current.find(exchange)?.fetchedAt ?? null;
    const isStale = this.current.findFresh(exchange) === null;
    if (isStale === this.stale.has(exchange)) return;
    if (!isStale) {
      this.stale.delete(exchange);
      this.logger.info({ exchange, fetchedAt }, 'tickers are fresh again and served');
    } else if (this.hadTimeToRefresh()) {
      this.stale.add(exchange);
      this.logger.error({ exchange, fetchedAt }, 'tickers are stale and no longer served');
    }
  }

  /** Whether this worker has run long enough for a first refresh. Before that, stale tickers are no fault. */
  private hadTimeToRefresh(): boolean {
    const { TICKERS_REFRESH_SECONDS } = this.config.values;
    return this.clock.now().getTime() - this.startedAt.getTime() > TICKERS_REFRESH_SECONDS * 1_000;
  }
}
