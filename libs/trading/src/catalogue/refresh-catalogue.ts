import { Inject, Injectable } from '@nestjs/common';
import { ExchangeError, PairLists } from '#exchange';
import { reasonOf } from '#platform/errors';
import { LOGGER, type Logger } from '#platform/logging';
import { Metrics } from '#platform/metrics';
import { keyOf, type CatalogueKey } from './catalogue.js';
import { CatalogueStore } from './catalogue-store.js';

/** `superseded`: another process has stored a newer list meanwhile. */
type RefreshOutcome = 'ok' | 'superseded' | 'failed';

/** Reads the pair list of an exchange and stores it. A failure leaves the last good catalogue in place. */
@Injectable()
export class RefreshCatalogue {
  private readonly refreshes;
  private readonly failing = new Set<string>();
  private readonly unreadable = new Map<string, number>();

  constructor(
    private readonly pairLists: PairLists,
    private readonly store: CatalogueStore,
    @Inject(LOGGER) private readonly logger: Logger,
    metrics: Metrics,
  ) {
    this.refreshes = metrics.counter({
      name: 'causeway_catalogue_refreshes_total',
      help: 'Refreshes of the catalogue of an exchange: ok, superseded (a newer one was stored), failed.',
      labels: ['exchange', 'mode', 'outcome'],
    });
  }

  /**
   * Reads and stores the list. Does nothing for an exchange whose list this configuration does not read: an earlier
   * release or configuration may have scheduled the job.
   */
  async execute(key: CatalogueKey): Promise<void> {
    const { exchange, mode } = key;
    if (!this.pairLists.exchanges(mode).includes(exchange)) return;
    let outcome: RefreshOutcome = 'failed';
    try {
      outcome = await this.refresh(key);
      if (this.failing.delete(keyOf(key)))
        this.logger.info({ exchange, mode }, 'the catalogue was refreshed; the refresh before had failed');
    } catch (error) {
      if (!(error instanceof ExchangeError)) throw error;
      this.noteFailure(key, error);
    } finally {
      this.refreshes.inc({ exchange, mode, outcome });
    }
  }

  private async refresh(key: CatalogueKey): Promise<RefreshOutcome> {
    const list = await this.pairLists.read(key.exchange, key.mode);
    this.noteUnreadable(key, list.unreadable);
    return (await this.store.save(list)) ? 'ok' : 'superseded';
  }

  /**
   * Logs a failure. Only the first failure of a series is a warning, because every refresh fails while the exchange is
   * down.
   */
  private noteFailure(key: CatalogueKey, error: ExchangeError): void {
    const level = this.failing.has(keyOf(key)) ? 'debug' : 'warn';
    this.failing.add(keyOf(key));
    this.logger[level](
      { ...key, because: reasonOf(error) },
      'the catalogue was not refreshed; the last stored catalogue is kept',
    );
  }

  /** Logs the number of unreadable entries when it changes, because the same entries are unreadable every time. */
  private noteUnreadable(key: CatalogueKey, unreadable: number): void {
    if (unreadable === (this.unreadable.get(keyOf(key)) ?? 0)) return;
    this.unreadable.set(keyOf(key), unreadable);
    this.logger.warn({ ...key, unreadable }, 'unreadable entries of a pair list were left out');
  }
}
