import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { tickerExchanges } from '#exchange';
import { Clock } from '#platform/clock';
import { Config } from '#platform/config';
import { Repeats } from '#platform/lifecycle';
import { LOGGER, type Logger } from '#platform/logging';
import { CurrentTickers } from './current-tickers.js';

/** Says in the worker's log when the tickers of an exchange have become stale, and when they are back: a line each. */
@Injectable()
export class WatchTickers implements OnApplicationBootstrap {
  private readonly stale = new Set<string>();
  private readonly startedAt: Date;

  constructor(
    private readonly current: CurrentTickers,
    private readonly clock: Clock,
    private readonly config: Config,
    private readonly repeats: Repeats,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.startedAt = clock.now();
  }

  onApplicationBootstrap(): void {
    this.repeats.start('watch over tickers', this.config.values.TICKERS_REFRESH_SECONDS * 1_000, () => {
      for (const exchange of tickerExchanges) this.look(exchange);
      return Promise.resolve();
    });
  }

  private look(exchange: string): void {
    const fetchedAt = this.current.find(exchange)?.fetchedAt ?? null;
    const isStale = this.current.findFresh(exchange) === null;
    if (isStale === this.stale.has(exchange)) return;
    if (!isStale) {
      this.stale.delete(exchange);
      this.logger.info({ exchange, fetchedAt }, 'tickers are fresh again and served');
    } else if (this.hasHadTime()) {
      this.stale.add(exchange);
      this.logger.error({ exchange, fetchedAt }, 'tickers are stale and no longer served');
    }
  }

  /** A worker that has just started finds what was left when the last one stopped. */
  private hasHadTime(): boolean {
    const { TICKERS_REFRESH_SECONDS } = this.config.values;
    return this.clock.now().getTime() - this.startedAt.getTime() > TICKERS_REFRESH_SECONDS * 1_000;
  }
}
