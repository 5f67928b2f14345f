import { Injectable } from '@nestjs/common';
import { CannotOpen, Vault, type SealContext, type SealedRecord } from './vault.js';

/** Rows of each key id that are read from each end of the index. Several, because one row may have been altered. */
const ROWS_OF_A_KEY = 20;

/** A stored record, and the place to which it belongs. */
export interface SealedSample {
  record: SealedRecord;
  context: SealContext;
}

/** A key whose stored records cannot all be opened. */
export interface KeyProblem {
  keyId: string;
  /**
   * `missing`: the vault has no key of this id. `wrong`: the vault's key opens none of the records, so its bytes are
   * not those with which they were sealed. `doubtful`: the vault's key opens only some of the records.
   */
  kind: 'missing' | 'wrong' | 'doubtful';
  /** The tables whose records cannot be opened. */
  tables: string[];
}

/** Number of a table's records that are sealed with one key. */
export interface KeyCount {
  keyId: string;
  count: number;
}

/** The rows of a table that can be sealed again with another key. */
export interface ResealableRows {
  countOther: (keyId: string) => Promise<number>;
  /**
   * Returns the ids of rows that are not sealed with the key `keyId`, in ascending order.
   * @param after null = from the beginning.
   */
  listOther: (keyId: string, after: string | null, limit: number) => Promise<string[]>;
  /**
   * Seals one row again with the primary key. Writes only while the row is the one that was read.
   * @returns false when the row was changed or deleted in the meantime.
   * @throws CannotOpen, KeysUnavailable
   */
  reseal: (id: string) => Promise<boolean>;
}

/** A table with sealed records. */
export interface SealedTable {
  /** Returns some records for each key id of the table, as `rowsOfEachKey` finds them. */
  samples: () => Promise<SealedSample[]>;
  countByKey: () => Promise<KeyCount[]>;
  /** null = the records are erased within minutes, so they are not sealed again. */
  rows: ResealableRows | null;
}

/** The tables with sealed records. The libs register their tables. */
@Injectable()
export class SealedTables {
  private readonly tables = new Map<string, SealedTable>();

  constructor(private readonly vault: Vault) {}

  add(name: string, table: SealedTable): void {
    this.tables.set(name, table);
  }

  list(): readonly [string, SealedTable][] {
    return [...this.tables];
  }

  /** @returns the keys with a problem, in ascending order of their ids. @throws errors of a query, KeysUnavailable */
  async findProblems(): Promise<KeyProblem[]> {
    const byKey = new Map<string, { isOpened: boolean; tables: Set<string> }>();
    for (const [table, { samples }] of this.tables) {
      for (const sample of await samples()) {
        const { keyId } = sample.record;
        const found = byKey.get(keyId) ?? { isOpened: false, tables: new Set() };
        byKey.set(keyId, found);
        if (await this.opens(sample)) found.isOpened = true;
        else found.tables.add(table);
      }
    }
    return [...byKey]
      .filter(([, { tables }]) => tables.size > 0)
      .map(([keyId, { isOpened, tables }]) => ({ keyId, kind: this.kindOf(keyId, isOpened), tables: [...tables] }))
      .sort((one, other) => (one.keyId < other.keyId ? -1 : 1));
  }

  private kindOf(keyId: string, isOpened: boolean): KeyProblem['kind'] {
    if (!this.vault.has(keyId)) return 'missing';
    return isOpened ? 'doubtful' : 'wrong';
  }

  private async opens({ record, context }: SealedSample): Promise<boolean> {
    try {
      await this.vault.open(record, context);
      return true;
    } catch (error) {
      if (error instanceof CannotOpen) return false;
      throw error;
    }
  }
}

/** Describes keys with other bytes than those of the stored records; null = there is none. */
export function wrongKeysIn(problems: readonly KeyProblem[]): string | null {
  const ids = problems.filter(({ kind }) => kind === 'wrong').map(({ keyId }) => keyId);
  if (ids.length === 0) return null;
  return `VAULT_KEYS_FILE or VAULT_KEYS: stored records were encrypted with other bytes under the key id ${ids.join(', ')}; restore the earlier bytes, and give each new key an id that was never used`;
}

/**
 * SQL that selects some rows of `table` for each key id. Each step reads the next id from an index on the key id, so
 * the number of steps depends on the number of keys, and not on the number of rows. The rows are those at both ends of
 * the index, because older and newer records of one key id may have been sealed with different keys. A range instead of
 * `=` lets PostgreSQL sort by the index; with `=`, it would read the whole table for a rare key.
 * @param record SQL expression of the sealed record in a row.
 */
export function rowsOfEachKey(table: string, record: string): string {
  const keyId = `(${record}->>'keyId')`;
  const rows = (order: 'asc' | 'desc'): string =>
    `(select * from ${table} where ${keyId} >= keys.id and ${keyId} <= keys.id
      order by ${keyId} ${order} limit ${ROWS_OF_A_KEY})`;
  return `
    with recursive keys (id) as (
      select min(${keyId}) from ${table}
      union all
      select (select min(${keyId}) from ${table} where ${keyId} > keys.id) from keys where keys.id is not null
    )
    select found.* from keys cross join lateral (${rows('asc')} union all ${rows('desc')}) found`;
}
