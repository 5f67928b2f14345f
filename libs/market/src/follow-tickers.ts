import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { tickerExchanges } from '#exchange';
import { Clock } from '#platform/clock';
import { Config } from '#platform/config';
import { Notifications } from '#platform/database';
import { logFailedWork } from '#platform/errors';
import { Repeats } from '#platform/lifecycle';
import { LOGGER, type Logger } from '#platform/logging';
import { Metrics } from '#platform/metrics';
import { CurrentTickers } from './current-tickers.js';
import { ageMs } from './ticker-snapshot.js';
import { TICKERS_CHANNEL } from './ticker-store.js';

/**
 * Keeps the tickers in memory current, in the API and in the worker: the database says when they change. Whatever may
 * swallow that, they are looked at once in a refresh period as well.
 */
@Injectable()
export class FollowTickers implements OnApplicationBootstrap {
  constructor(
    private readonly current: CurrentTickers,
    private readonly notifications: Notifications,
    private readonly repeats: Repeats,
    private readonly clock: Clock,
    private readonly config: Config,
    @Inject(LOGGER) private readonly logger: Logger,
    metrics: Metrics,
  ) {
    metrics.gauge(
      {
        name: 'causeway_ticker_age_seconds',
        help: 'Seconds since the exchange gave the tickers that this process serves; +Inf = it has none.',
        labels: ['exchange'],
      },
      (gauge) => {
        for (const exchange of tickerExchanges) gauge.set({ exchange }, this.ageSeconds(exchange));
      },
    );
  }

  /**
   * Reads before the first request is served: then it is answered from memory even when no exchange can be reached. A
   * database that does not answer at this moment does not keep the process from starting.
   */
  async onApplicationBootstrap(): Promise<void> {
    const reload = async (): Promise<void> => {
      await this.current.reload().catch((error: unknown) => {
        logFailedWork(this.logger, error, 'tickers not read');
      });
    };
    await reload();
    this.notifications.subscribe({
      channel: TICKERS_CHANNEL,
      onMessage: () => void reload(),
      onListening: () => void reload(),
    });
    const everyMs = this.config.values.TICKERS_REFRESH_SECONDS * 1_000;
    this.repeats.start('re-reading of tickers', everyMs, () => this.current.reload());
  }

  private ageSeconds(exchange: string): number {
    const snapshot = this.current.find(exchange);
    return snapshot === null ? Infinity : ageMs(snapshot, this.clock.now()) / 1_000;
  }
}
