import { Injectable } from '@nestjs/common';
import { Database } from '#platform/database';

/** Asks for the price of an asset at the time `at`, from the first of these exchanges that has a price. */
export interface HistoryQuestion {
  exchanges: readonly string[];
  asset: string;
  at: Date;
}

/** Asks for the price of an asset at one exchange at the time `at`. */
interface SourceQuestion {
  key: string;
  exchange: string;
  asset: string;
  at: Date;
}

/** Largest distance in time between a transaction and the stored price that is used for it. */
const TOLERANCE_MINUTES = 30;
/** Maximum number of `SourceQuestion`s in one SQL statement. */
const QUESTIONS_MAX = 500;

const QUESTIONS = `unnest($1::text[], $2::text[], $3::text[], $4::timestamptz[]) as q (key, exchange, asset, at)`;

/** SQL that finds the price list closest to the time of each question, among the lists where `condition` holds. */
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

/** Past prices: one price list of each exchange every 10 minutes. */
@Injectable()
export class PriceHistory {
  constructor(private readonly db: Database) {}

  /**
   * Returns one price for each question: the price closest to `at` within TOLERANCE_MINUTES, at the first of the
   * exchanges that has such a price; null = none has.
   */
  async nearest(questions: readonly HistoryQuestion[]): Promise<(string | null)[]> {
    const found = new Map<string, string>();
    const ranks = Math.max(0, ...questions.map(({ exchanges }) => exchanges.length));
    // Queries one exchange after the other, because the first one has most of the prices. Questions for the same asset,
    // time and exchanges are queried only once.
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

  /**
   * Reading price lists is costly, so the first query reads only the list closest to the time of each question. If that
   * list lacks the asset, the second query finds the closest list that has it.
   */
  private async askSource(asked: readonly SourceQuestion[], found: Map<string, string>): Promise<void> {
    for (const sql of [CLOSEST, CLOSEST_WITH_ASSET]) {
      const open = asked.filter(({ key }) => !found.has(key));
      if (open.length === 0) return;
      const rows = await this.db.query<{ key: string; price: string | null }>(sql, [
        open.map(({ key }) => key),
        open.map(({ exchange }) => exchange),
        open.map(({ asset }) => asset),
        open.map(({ at }) => at),
        TOLERANCE_MINUTES,
      ]);
      for (const { key, price } of rows) if (price !== null) found.set(key, price);
    }
  }
}

function keyOf({ exchanges, asset, at }: HistoryQuestion): string {
  return `${at.getTime()} ${exchanges.join(' ')} ${asset}`;
}
