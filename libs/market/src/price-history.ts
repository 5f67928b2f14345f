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

/** The same, of one exchange. */
interface SourceQuestion {
  key: string;
  exchange: string;
  asset: string;
  at: Date;
}

/** Questions of one statement. */
const QUESTIONS_MAX = 500;

const QUESTIONS = `unnest($1::text[], $2::text[], $3::text[], $4::timestamptz[]) as q (key, exchange, asset, at)`;

/** The kept list that is closest to each moment, where `condition` holds: at most one before it and one after it. */
const closest = (condition: string): string => `
  select q.key, near.prices ->> q.asset as price
    from ${QUESTIONS}
   cross join lateral (
     select sides.prices from (
       (select p.at, p.prices from price_points p
         where p.exchange = q.exchange and ${condition}
           and p.at <= q.at and p.at >= q.at - make_interval(mins => $5)
         order by p.at desc limit 1)
       union all
       (select p.at, p.prices from price_points p
         where p.exchange = q.exchange and ${condition}
           and p.at > q.at and p.at <= q.at + make_interval(mins => $5)
         order by p.at limit 1)
     ) sides
     order by abs(extract(epoch from sides.at - q.at)), sides.at limit 1
   ) near`;
const CLOSEST = closest('true');
const CLOSEST_WITH_ASSET = closest('p.prices ? q.asset');

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
    const found = new Map<string, string>();
    const ranks = Math.max(0, ...questions.map(({ exchanges }) => exchanges.length));
    // Source by source, because the first one knows most of them, and the same one once.
    for (let rank = 0; rank < ranks; rank++) {
      const open = new Map<string, SourceQuestion>();
      for (const { exchanges, asset, at } of questions) {
        const exchange = exchanges[rank];
        const key = keyOf({ exchanges, asset, at });
        if (exchange !== undefined && !found.has(key)) open.set(key, { key, exchange, asset, at });
      }
      const asked = [...open.values()];
      for (let first = 0; first < asked.length; first += QUESTIONS_MAX) {
        await this.askSource(asked.slice(first, first + QUESTIONS_MAX), found);
      }
    }
    return questions.map((question) => found.get(keyOf(question)) ?? null);
  }

  /** A kept list is long and costs something to open: first the closest of each moment, then further ones for the rest. */
  private async askSource(asked: readonly SourceQuestion[], found: Map<string, string>): Promise<void> {
    for (const sql of [CLOSEST, CLOSEST_WITH_ASSET]) {
      const open = asked.filter(({ key }) => !found.has(key));
      if (open.length === 0) return;
      const rows = await this.db.query<{ key: string; price: string | null }>(sql, [
        open.map(({ key }) => key),
        open.map(({ exchange }) => exchange),
        open.map(({ asset }) => asset),
        open.map(({ at }) => at),
        this.config.values.PRICE_TOLERANCE_MINUTES,
      ]);
      for (const { key, price } of rows) if (price !== null) found.set(key, price);
    }
  }

  /** Deletes what is older than PRICE_HISTORY_DAYS, in batches. @returns how many were deleted. */
  async eraseExpired(): Promise<number> {
    const { PRICE_HISTORY_DAYS, PRICE_HISTORY_SWEEP_BATCH } = this.config.values;
    const before = new Date(this.clock.now().getTime() - PRICE_HISTORY_DAYS * DAY_MS);
    return this.db.deleteInBatches(
      `delete from price_points
       where (exchange, at) in (select exchange, at from price_points where at < $1 limit $2) returning at`,
      [before],
      PRICE_HISTORY_SWEEP_BATCH,
    );
  }
}

function keyOf({ exchanges, asset, at }: HistoryQuestion): string {
  return `${at.getTime()} ${exchanges.join(' ')} ${asset}`;
}
