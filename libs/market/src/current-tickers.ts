import { Injectable } from '@nestjs/common';
import { Clock } from '#platform/clock';
import { Config, InvalidConfig } from '#platform/config';
import { SharedRuns } from '#platform/lifecycle';
import { ageMs, type TickerSnapshot } from './ticker-snapshot.js';
import { TickerStore } from './ticker-store.js';

/** The latest ticker snapshot of each exchange, in the memory of this process. */
@Injectable()
export class CurrentTickers {
  private readonly snapshots = new Map<string, TickerSnapshot>();
  private readonly runs = new SharedRuns(() => this.read());

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

  /** Returns the snapshot, however old it is; null = this process has read none. */
  find(exchange: string): TickerSnapshot | null {
    return this.snapshots.get(exchange) ?? null;
  }

  /** Returns the snapshot; null = this process has read none, or the snapshot is older than TICKERS_STALE_SECONDS. */
  findFresh(exchange: string): TickerSnapshot | null {
    const found = this.find(exchange);
    const maxAgeMs = this.config.values.TICKERS_STALE_SECONDS * 1_000;
    return found === null || ageMs(found, this.clock.now()) > maxAgeMs ? null : found;
  }

  /**
   * Loads the snapshots that have changed in the database. Reads never overlap, so that an older read never replaces a
   * newer one. Calls that arrive during a read share the next read.
   */
  reload(): Promise<void> {
    return this.runs.run();
  }

  private async read(): Promise<void> {
    const changed = await this.store.listOtherThan([...this.snapshots.values()]);
    for (const snapshot of changed) this.snapshots.set(snapshot.exchange, snapshot);
  }
}
