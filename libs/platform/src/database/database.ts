import { AsyncLocalStorage } from 'node:async_hooks';
import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource, EntityManager, EntityTarget, ObjectLiteral, Repository } from 'typeorm';
import type { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver.js';
import type { SharedPool } from './shared-pool.js';

type Afterwards = (() => void)[];

/** Of the transaction that the caller is in: what is to happen once it has committed. */
const openTransaction = new AsyncLocalStorage<Afterwards>();

/** Something slow or irrevocable was about to happen while a transaction holds rows. A bug of ours, never of the caller. */
export class InsideTransaction extends Error {
  constructor(what: string) {
    super(`${what} must not happen inside a database transaction`);
  }
}

/** Throws when the caller is inside `Database.transaction`. Exchange calls and enqueues begin with it. */
export function assertOutsideTransaction(what: string): void {
  if (openTransaction.getStore() !== undefined) throw new InsideTransaction(what);
}

/**
 * Runs `work` when the transaction that the caller is in has committed, never when it is rolled back; outside of one, at
 * once. Only for what may be lost: the process may end in between.
 */
export function afterCommit(work: () => void): void {
  const afterwards = openTransaction.getStore();
  if (afterwards === undefined) work();
  else afterwards.push(work);
}

/** Connections of a pool, how many of them nobody uses, and how many calls wait for one. */
export interface PoolUsage {
  total: number;
  idle: number;
  waiting: number;
}

/** The database of this process. Inside `transaction` use only the `tx` that is passed, never this object. */
@Injectable()
export class Database {
  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  /** Runs `work` in one READ COMMITTED transaction; it is rolled back when `work` throws. */
  async transaction<T>(work: (tx: EntityManager) => Promise<T>): Promise<T> {
    const afterwards: Afterwards = [];
    const result = await openTransaction.run(afterwards, () => this.dataSource.transaction(work));
    for (const one of afterwards) one();
    return result;
  }

  /**
   * One statement with `$1` parameters, inside `tx` when one is given. Rows of a SELECT or of RETURNING; numeric, bigint
   * and count(*) come as strings.
   */
  async query<Row>(sql: string, parameters: unknown[] = [], tx?: EntityManager): Promise<Row[]> {
    const result: unknown = await (tx ?? this.dataSource).query(sql, parameters);
    // TypeORM gives [rows, affected] for UPDATE and DELETE, and rows for everything else.
    const rows: unknown = Array.isArray(result) && Array.isArray(result[0]) ? result[0] : result;
    return rows as Row[];
  }

  /**
   * A statement that deletes at most `batch` rows, RETURNING something of each, again and again until one deletes fewer:
   * no transaction is long. @returns how many were deleted.
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

  /** Whether the database answers, takes writes, and has every migration that this build knows. */
  async isReady(expectedMigrations: number): Promise<boolean> {
    const [row] = await this.query<{ writable: boolean; migrations: string }>(
      `select not pg_is_in_recovery() as writable, (select count(*) from migrations) as migrations`,
    );
    return row !== undefined && row.writable && Number(row.migrations) >= expectedMigrations;
  }
}
