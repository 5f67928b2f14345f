import { AsyncLocalStorage } from 'node:async_hooks';
import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource, EntityManager, EntityTarget, ObjectLiteral, Repository } from 'typeorm';
import type { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver.js';
import type { SharedPool } from './shared-pool.js';

type AfterCommit = (() => void)[];

/** The functions to run after the commit of the caller's transaction; undefined outside of a transaction. */
const openTransaction = new AsyncLocalStorage<AfterCommit>();

/** A slow or irrevocable action was begun inside a transaction, which holds row locks. This is a bug of this program. */
export class InsideTransaction extends Error {
  constructor(what: string) {
    super(`${what} must not happen inside a database transaction`);
  }
}

/** Throws when the caller is inside `Database.transaction`. Exchange calls and enqueues call it first. */
export function assertOutsideTransaction(what: string): void {
  if (openTransaction.getStore() !== undefined) throw new InsideTransaction(what);
}

/**
 * Runs `work` after the commit of the caller's transaction, and not after a rollback. Outside of a transaction it runs at
 * once. Only for work that may be lost, because the process may end before it runs.
 */
export function afterCommit(work: () => void): void {
  const pending = openTransaction.getStore();
  if (pending === undefined) work();
  else pending.push(work);
}

/** The connections of a pool, the idle ones among them, and the calls that wait for a connection. */
export interface PoolUsage {
  total: number;
  idle: number;
  waiting: number;
}

/** The database of this process. Inside `transaction` use only the given `tx`, never this object. */
@Injectable()
export class Database {
  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  /** Runs `work` in one READ COMMITTED transaction, and rolls it back when `work` throws. */
  async transaction<T>(work: (tx: EntityManager) => Promise<T>): Promise<T> {
    const pending: AfterCommit = [];
    const result = await openTransaction.run(pending, () => this.dataSource.transaction(work));
    for (const run of pending) run();
    return result;
  }

  /**
   * Runs one statement with `$1` parameters, inside `tx` when it is given. Returns the rows of SELECT or RETURNING;
   * numeric, bigint and count(*) are strings.
   */
  async query<Row>(sql: string, parameters: unknown[] = [], tx?: EntityManager): Promise<Row[]> {
    const result: unknown = await (tx ?? this.dataSource).query(sql, parameters);
    // TypeORM returns [rows, affected] for UPDATE and DELETE, and rows for every other statement.
    const rows: unknown = Array.isArray(result) && Array.isArray(result[0]) ? result[0] : result;
    return rows as Row[];
  }

  /**
   * Repeats a statement that deletes at most `batch` rows (with RETURNING) until it deletes fewer, so that no transaction
   * is long. @returns the number of deleted rows.
   */
  async deleteInBatches(sql: string, parameters: unknown[], batch: number): Promise<number> {
    let deleted = 0;
    for (let last = batch; last === batch; deleted += last) {
      last = (await this.query(sql, [...parameters, batch])).length;
    }
    return deleted;
  }

  repository<Entity extends ObjectLiteral>(entity: EntityTarget<Entity>): Repository<Entity> {
    return this.dataSource.getRepository(entity);
  }

  pool(): PoolUsage {
    const pool = (this.dataSource.driver as PostgresDriver).master as SharedPool;
    return { total: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount + pool.waitingForShare };
  }

  /** Whether the database responds, accepts writes, and has every migration of this build. */
  async isReady(expectedMigrations: number): Promise<boolean> {
    const [row] = await this.query<{ writable: boolean; migrations: string }>(
      `select not pg_is_in_recovery() as writable, (select count(*) from migrations) as migrations`,
    );
    return row !== undefined && row.writable && Number(row.migrations) >= expectedMigrations;
  }
}
