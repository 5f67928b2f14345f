import { Injectable } from '@nestjs/common';
import type { TickerList } from '#exchange';
import { CLOCK_ERROR_MS } from '#platform/clock';
import { Database } from '#platform/database';
import type { PriceRow, TickerSnapshot } from './ticker-snapshot.js';

/** Channel of the notifications that a snapshot has changed; the payload is the exchange. */
export const TICKERS_CHANNEL = 'ticker_snapshots';

/** Least time between two price lists of an exchange in the history. */
const HISTORY_STEP_MINUTES = 10;

/** The tables of the last valid price list of each exchange and of the price history. */
@Injectable()
export class TickerStore {
  constructor(private readonly db: Database) {}

  /**
   * Replaces the snapshot of an exchange, adds it to the history when the last point of the history is old enough, and
   * notifies every process. One transaction does all of it or nothing.
   * @returns false when the stored snapshot is as new or newer; nothing has changed then. A stored snapshot that is
   *   newer by more than CLOCK_ERROR_MS has a time from a wrong clock, and is replaced.
   */
  save(exchange: string, { prices, fetchedAt }: TickerList): Promise<boolean> {
    const json = JSON.stringify(Object.fromEntries(prices));
    return this.db.transaction(async (tx) => {
      const written = await this.db.query(
        `with written as (
           insert into ticker_snapshots as s (exchange, prices, fetched_at) values ($1, $2, $3)
           on conflict (exchange) do update set prices = excluded.prices, fetched_at = excluded.fetched_at
             where s.fetched_at < excluded.fetched_at
               or s.fetched_at > excluded.fetched_at + make_interval(secs => $4)
           returning exchange
         )
         select pg_notify($5, exchange) from written`,
        [exchange, json, fetchedAt, CLOCK_ERROR_MS / 1_000, TICKERS_CHANNEL],
        tx,
      );
      if (written.length === 0) return false;
      // The lock of the snapshot's row makes concurrent calls wait for each other. Only a statement that begins after
      // the row is locked sees the point that the previous call stored.
      await this.db.query(
        `insert into price_points (exchange, at, prices)
         select $1, $3, $2
         where not exists (select from price_points p
                           where p.exchange = $1 and p.at > $3::timestamptz - make_interval(mins => $4) and p.at <= $3)
         on conflict do nothing`,
        [exchange, json, fetchedAt, HISTORY_STEP_MINUTES],
        tx,
      );
      return true;
    });
  }

  /** Returns the stored snapshots that differ from `known`. */
  async listOtherThan(known: readonly TickerSnapshot[]): Promise<TickerSnapshot[]> {
    const rows = await this.db.query<PriceRow & { fetched_at: Date }>(
      `select exchange, prices, fetched_at from ticker_snapshots
       where (exchange, fetched_at) not in (select * from unnest($1::text[], $2::timestamptz[]))`,
      [known.map(({ exchange }) => exchange), known.map(({ fetchedAt }) => fetchedAt)],
    );
    return rows.map(({ exchange, prices, fetched_at: fetchedAt }) => ({
      exchange,
      prices: new Map(Object.entries(prices).sort(([a], [b]) => (a < b ? -1 : 1))),
      fetchedAt,
    }));
  }
}
