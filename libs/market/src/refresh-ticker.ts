import { Inject, Injectable } from '@nestjs/common';
import { ExchangeError, Tickers, isTickerExchange } from '#exchange';
import { reasonOf } from '#platform/errors';
import { LOGGER, type Logger } from '#platform/logging';
import { Metrics } from '#platform/metrics';
import { TickerStore } from './ticker-store.js';

/** `superseded`: another worker has stored newer prices in the meantime. */
type RefreshOutcome = 'ok' | 'superseded' | 'failed';

/** Reads the tickers of an exchange and stores them. The last valid prices stay when the read fails. */
@Injectable()
export class RefreshTicker {
  private readonly refreshes;
  private readonly failing = new Set<string>();

  constructor(
    private readonly tickers: Tickers,
    private readonly store: TickerStore,
    @Inject(LOGGER) private readonly logger: Logger,
    metrics: Metrics,
  ) {
    this.refreshes = metrics.counter({
      name: 'causeway_ticker_refreshes_total',
      help: 'Refreshes of the tickers of an exchange: ok, superseded (newer prices were stored), failed.',
      labels: ['exchange', 'outcome'],
    });
  }

  /** Refreshes the tickers of an exchange. Does nothing for an exchange that only an earlier release has scheduled. */
  async execute(exchange: string): Promise<void> {
    if (!isTickerExchange(exchange)) return;
    let outcome: RefreshOutcome = 'failed';
    try {
      outcome = await this.refresh(exchange);
      if (this.failing.delete(exchange))
        this.logger.info({ exchange }, 'the tickers were refreshed; the refresh before had failed');
    } catch (error) {
      if (!(error instanceof ExchangeError)) throw error;
      this.noteFailure(exchange, error);
    } finally {
      this.refreshes.inc({ exchange, outcome });
    }
  }

  private async refresh(exchange: string): Promise<RefreshOutcome> {
    const list = await this.tickers.read(exchange);
    return (await this.store.save(exchange, list)) ? 'ok' : 'superseded';
  }

  /**
   * Logs a failure. Only the first failure in a row is a warning, because every refresh fails while the exchange is
   * down.
   */
  private noteFailure(exchange: string, error: ExchangeError): void {
    const level = this.failing.has(exchange) ? 'debug' : 'warn';
    this.failing.add(exchange);
    this.logger[level](
      { exchange, because: reasonOf(error) },
      'the tickers were not refreshed; the last prices are kept',
    );
  }
}
