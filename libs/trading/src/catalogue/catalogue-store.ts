import { Injectable } from '@nestjs/common';
import type { PairList, ProjectMode, TradedPair } from '#exchange';
import { CLOCK_ERROR_MS } from '#platform/clock';
import { Database } from '#platform/database';
import { SCHEMA_VERSION, type Catalogue } from './catalogue.js';

/** Notification channel for a new catalogue. The payload is the mode and the exchange. */
export const CATALOGUES_CHANNEL = 'trading_catalogues';

interface CatalogueRow {
  exchange: string;
  mode: ProjectMode;
  content: { api: string; pairs: TradedPair[] };
  generated_at: Date;
  fetched_at: Date;
}

/** Stores the last good catalogue of each exchange. */
@Injectable()
export class CatalogueStore {
  constructor(private readonly db: Database) {}

  /**
   * Replaces a catalogue and notifies every process, in one statement. A list with the same content keeps its
   * `generatedAt`.
   * @returns false when the stored catalogue is as new or newer; nothing changes then. A catalogue that is newer by
   *   more than CLOCK_ERROR_MS has the time of a wrong clock and is replaced.
   */
  async save({ exchange, mode, api, pairs, fetchedAt }: PairList): Promise<boolean> {
    const rows = await this.db.query(
      `with written as (
         insert into trading_catalogues as c (exchange, mode, schema_version, content, generated_at, fetched_at)
         values ($1, $2, $3, $4, $5, $5)
         on conflict (exchange, mode) do update set
           schema_version = excluded.schema_version, content = excluded.content, fetched_at = excluded.fetched_at,
           generated_at = case when c.schema_version = excluded.schema_version and c.content::text = excluded.content::text
                               then c.generated_at else excluded.generated_at end
           where c.fetched_at < excluded.fetched_at
             or c.fetched_at > excluded.fetched_at + make_interval(secs => $6)
         returning mode || ' ' || exchange as key
       )
       select pg_notify($7, key) from written`,
      [
        exchange,
        mode,
        SCHEMA_VERSION,
        JSON.stringify({ api, pairs }),
        fetchedAt,
        CLOCK_ERROR_MS / 1_000,
        CATALOGUES_CHANNEL,
      ],
    );
    return rows.length > 0;
  }

  /**
   * Lists the stored catalogues that differ from the known ones, without catalogues in the format of another release.
   */
  async listOtherThan(known: readonly Catalogue[]): Promise<Catalogue[]> {
    const rows = await this.db.query<CatalogueRow>(
      `select exchange, mode, content, generated_at, fetched_at from trading_catalogues
       where schema_version = $1
         and (exchange, mode, fetched_at) not in (select * from unnest($2::text[], $3::text[], $4::timestamptz[]))`,
      [
        SCHEMA_VERSION,
        known.map(({ exchange }) => exchange),
        known.map(({ mode }) => mode),
        known.map(({ fetchedAt }) => fetchedAt),
      ],
    );
    return rows.map(({ exchange, mode, content, generated_at: generatedAt, fetched_at: fetchedAt }) => ({
      exchange,
      mode,
      api: content.api,
      pairs: content.pairs,
      generatedAt,
      fetchedAt,
    }));
  }
}
