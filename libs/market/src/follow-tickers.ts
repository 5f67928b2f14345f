import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { tickerExchanges } from '#exchange';
import { Clock } from '#platform/clock';
import { Config } from '#platform/config';
import { RowFollower } from '#platform/lifecycle';
import { Metrics } from '#platform/metrics';
import { CurrentTickers } from './current-tickers.js';
import { ageMs } from './ticker-snapshot.js';
import { TICKERS_CHANNEL } from './ticker-store.js';

/** Keeps the tickers in the memory of an API or worker process current, and exports their age as a metric. */
@Injectable()
export class FollowTickers implements OnApplicationBootstrap {
  constructor(
    private readonly current: CurrentTickers,
    private readonly follower: RowFollower,
    private readonly clock: Clock,
    private readonly config: Config,
    metrics: Metrics,
  ) {
    metrics.gauge(
      {
        name: 'causeway_ticker_age_seconds',
        help: 'Seconds since the exchange returned the tickers that this process serves; +Inf = this process has none.',
        labels: ['exchange'],
      },
      (gauge) => {
        for (const exchange of tickerExchanges) gauge.set({ exchange }, this.ageSeconds(exchange));
      },
    );
  }

  async onApplicationBootstrap(): Promise<void> {
    await this.follower.follow({
      name: 'tickers',
      channel: TICKERS_CHANNEL,
      everyMs: this.config.values.TICKERS_REFRESH_SECONDS * 1_000,
      reload: () => this.current.reload(),
    });
  }

  private ageSeconds(exchange: string): number {
    const snapshot = this.current.find(exchange);
    return snapshot === null ? Infinity : ageMs(snapshot, this.clock.now()) / 1_000;
  }
}
