import type { KeyCount } from '#platform/crypto';
import type { Database } from './database.js';

/** A table with one sealed record, or records of one write, in the column `sealed` of each row. */
export interface SealedColumn {
  table: string;
  /** Column that identifies a row. */
  id: string;
  /** SQL expression of a sealed record in a row. */
  record: string;
  /** SQL condition of further rows that have to be sealed again. */
  orWhere?: string;
}

/** The statements about the keys of a table's sealed records. The lib that owns the table calls them. */
export class SealedRows {
  private readonly isOther: string;

  constructor(
    private readonly db: Database,
    private readonly column: SealedColumn,
  ) {
    const isOther = `(${column.record}->>'keyId') is distinct from $1`;
    this.isOther = column.orWhere === undefined ? isOther : `(${isOther} or ${column.orWhere})`;
  }

  countByKey(): Promise<KeyCount[]> {
    const { table, record } = this.column;
    return this.db.query<KeyCount>(
      `select ${record}->>'keyId' as "keyId", count(*)::integer as count
         from ${table} where ${record} is not null group by 1 order by 1`,
    );
  }

  async countOther(keyId: string): Promise<number> {
    const [row] = await this.db.query<{ count: number }>(
      `select count(*)::integer as count from ${this.column.table} where ${this.isOther}`,
      [keyId],
    );
    return row?.count ?? 0;
  }

  async listOther(keyId: string, after: string | null, limit: number): Promise<string[]> {
    const { table, id } = this.column;
    const rows = await this.db.query<{ id: string }>(
      `select ${id} as id from ${table} where ${this.isOther} ${after === null ? '' : `and ${id} > $3`}
        order by ${id} limit $2`,
      after === null ? [keyId, limit] : [keyId, limit, after],
    );
    return rows.map((row) => row.id);
  }

  /** Writes the sealed column of a row while it is `old`. @returns false when another write was faster. */
  async replace(id: string, old: object, sealed: object): Promise<boolean> {
    const { table, id: column } = this.column;
    const written = await this.db.query(
      `update ${table} set sealed = $3 where ${column} = $1 and sealed = $2 returning ${column}`,
      [id, JSON.stringify(old), JSON.stringify(sealed)],
    );
    return written.length > 0;
  }
}
