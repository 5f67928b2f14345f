import { Injectable } from '@nestjs/common';
import { Clock } from '#platform/clock';
import { Config } from '#platform/config';
import { Database } from '#platform/database';

const DAY_MS = 86_400_000;

/** What was an asset worth at a moment, by the prices of the first of these exchanges that tells? */
export interface HistoryQuestion {
  exchanges: readonly string[];
  asset: string;
  at: Date;
}

/** Prices that were kept now and then. */
@Injectable()
export class PriceHistory {
  constructor(
    private readonly db: Database,
    private readonly clock: Clock,
    private readonly config: Config,
  ) {}

  /** For each question the price nearest to its moment, within PRICE_TOLERANCE_MINUTES; null = none. */
  async nearest(questions: readonly HistoryQuestion[]): Promise<(string | null)[]> {
    const asked = questions.flatMap(({ exchanges, asset, at }, index) =>
      exchanges.map((exchange, rank) => ({ index, rank, exchange, asset, at })),
    );
    if (asked.length === 0) return questions.map(() => null);
    const rows = await this.db.query<{ index: number; price: string }>(
      `select distinct on (q.index) q.index, near.price
       from unnest($1::int[], $2::int[], $3::text[], $4::text[], $5::timestamptz[]) as q (index, rank, exchange, asset, at)
       cross join lateral (
         (select p.at, p.prices ->> q.asset as price from price_points p
          where p.exchange = q.exchange and p.prices ? q.asset
            and p.at <= q.at and p.at >= q.at - make_interval(mins => $6)
          order by p.at desc limit 1)
         union all
         (select p.at, p.prices ->> q.asset from price_points p
          where p.exchange = q.exchange and p.prices ? q.asset
            and p.at > q.at and p.at <= q.at + make_interval(mins => $6)
          order by p.at limit 1)
       ) near
       order by q.index, q.rank, abs(extract(epoch from near.at - q.at)), near.at`,
      [
        asked.map(({ index }) => index),
        asked.map(({ rank }) => rank),
        asked.map(({ exchange }) => exchange),
        asked.map(({ asset }) => asset),
        asked.map(({ at }) => at),
        this.config.values.PRICE_TOLERANCE_MINUTES,
      ],
    );
    const found = new Map(rows.map(({ index, price }) => [index, price]));
    return questions.map((_, index) => found.get(index) ?? null);
  }

  /** Deletes what is older than PRICE_HISTORY_DAYS, in batches. @returns how many were deleted. */
  async eraseExpired(): Promise<number> {
    const { PRICE_HISTORY_DAYS, PRICE_HISTORY_SWEEP_BATCH } = this.config.values;
    const before = new Date(this.clock.now().getTime() - PRICE_HISTORY_DAYS * DAY_MS);
    let erased = 0;
    for (let batch = PRICE_HISTORY_SWEEP_BATCH; batch === PRICE_HISTORY_SWEEP_BATCH; erased += batch) {
      const rows = await this.db.query(
        `delete from price_points
         where (exchange, at) in (select exchange, at from price_points where at < $1 limit $2) returning at`,
        [before, PRICE_HISTORY_SWEEP_BATCH],
      );
      batch = rows.length;
    }
    return erased;
  }
}
