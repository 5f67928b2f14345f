import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { Clock } from '#platform/clock';
import { Config, InvalidConfig } from '#platform/config';
import { assertOutsideTransaction } from '#platform/database';
import { LOGGER, type Logger } from '#platform/logging';
import { Metrics } from '#platform/metrics';
import { CallBudgets } from '../transport/call-budget.js';
import { PublicExchanges } from '../transport/public-calls.js';
import { callFactsOf, otherHosts } from './exchanges.js';
import { TickerReader } from './ticker-reader.js';
import type { TickerList } from '../declaration/ticker-source.js';
import { tickerSourceOf } from './ticker-sources.js';

/** Reads public prices of exchanges: one call for the prices of all pairs of an exchange, without credentials. */
@Injectable()
export class Tickers implements OnApplicationShutdown {
  private readonly exchanges: PublicExchanges;
  private readonly readers = new Map<string, TickerReader>();

  constructor(
    private readonly config: Config,
    private readonly clock: Clock,
    budgets: CallBudgets,
    metrics: Metrics,
    @Inject(LOGGER) logger: Logger,
  ) {
    const { SANDBOX_URL, TICKERS_FROM_SANDBOX } = config.values;
    if (TICKERS_FROM_SANDBOX && SANDBOX_URL === undefined) {
      throw new InvalidConfig(['SANDBOX_URL: must be set, because TICKERS_FROM_SANDBOX requires it']);
    }
    this.exchanges = new PublicExchanges(config, budgets, { metrics, logger }, otherHosts);
  }

  /**
   * The current prices of an exchange.
   * @throws ExchangeError `unavailable` or `rate_limited`, also when the response is unreadable or contains no price.
   */
  async read(exchange: string): Promise<TickerList> {
    assertOutsideTransaction(`reading the tickers of ${exchange}`);
    return this.readerOf(exchange).read();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.exchanges.close();
  }

  private readerOf(exchange: string): TickerReader {
    let reader = this.readers.get(exchange);
    if (reader === undefined) {
      const calls = this.exchanges.callsTo({ exchange, baseUrl: this.baseUrlOf(exchange), ...callFactsOf(exchange) });
      reader = new TickerReader(tickerSourceOf(exchange), calls, this.clock);
      this.readers.set(exchange, reader);
    }
    return reader;
  }

  private baseUrlOf(exchange: string): string {
    const { SANDBOX_URL, TICKERS_FROM_SANDBOX } = this.config.values;
    if (TICKERS_FROM_SANDBOX && SANDBOX_URL !== undefined) return SANDBOX_URL.replace(/\/$/, '');
    return this.exchanges.liveUrlOf(exchange, tickerSourceOf(exchange).liveUrl);
  }
}
