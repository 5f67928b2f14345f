import { Injectable } from '@nestjs/common';
import { Clock } from '#platform/clock';
import { Config, InvalidConfig } from '#platform/config';
import { SharedTurns } from '#platform/lifecycle';
import { ageMs, type TickerSnapshot } from './ticker-snapshot.js';
import { TickerStore } from './ticker-store.js';

/** The snapshots of all exchanges in the memory of this process. */
@Injectable()
export class CurrentTickers {
  private readonly snapshots = new Map<string, TickerSnapshot>();
  private readonly turns = new SharedTurns(() => this.read());

  constructor(
    private readonly store: TickerStore,
    private readonly clock: Clock,
    private readonly config: Config,
  ) {
    const { TICKERS_REFRESH_SECONDS, TICKERS_STALE_SECONDS } = config.values;
    if (TICKERS_STALE_SECONDS <= TICKERS_REFRESH_SECONDS) {
      throw new InvalidConfig(['TICKERS_STALE_SECONDS: must be above TICKERS_REFRESH_SECONDS']);
    }
  }

  /** However old; null = this process has read none. */
  find(exchange: string): TickerSnapshot | null {
    return this.snapshots.get(exchange) ?? null;
  }

  /** Null also when it is older than TICKERS_STALE_SECONDS. */
  findFresh(exchange: string): TickerSnapshot | null {
    const found = this.find(exchange);
    const maxAgeMs = this.config.values.TICKERS_STALE_SECONDS * 1_000;
    return found === null || ageMs(found, this.clock.now()) > maxAgeMs ? null : found;
  }

  /**
   * Takes over what the database has and this process has not. One after the other, so that an older answer of the
   * database never replaces a newer one; calls that come during one share the next.
   */
  reload(): Promise<void> {
    return this.turns.run();
  }

  private async read(): Promise<void> {
    const changed = await this.store.listOtherThan([...this.snapshots.values()]);
    for (const snapshot of changed) this.snapshots.set(snapshot.exchange, snapshot);
  }
}
