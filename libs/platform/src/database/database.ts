import { AsyncLocalStorage } from 'node:async_hooks';
import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type pg from 'pg';
import {
  QueryRunnerAlreadyReleasedError,
  TransactionNotStartedError,
  type DataSource,
  type EntityManager,
  type EntityTarget,
  type ObjectLiteral,
  type Repository,
} from 'typeorm';
import type { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver.js';
import { NamedSelect, type Batched, type NamedStatement, type RowReader } from './statements/named-select.js';
import { beginningOf, beginsLate } from './statements/late-begin.js';
import { READ_ONLY } from './statements/read-only-sessions.js';
import { SelectBatch } from './statements/select-batch.js';
import { selectAllOn, selectOn, type SharedPool } from './statements/shared-pool.js';
import { sqlRefusalOf } from './sql-refusal.js';

interface OpenTransaction {
  /** The functions to run after the commit. */
  afterCommit: (() => void)[];
  /** Work that the transaction began without waiting for it may continue after the end of the transaction. */
  hasEnded: boolean;
}

const callersTransaction = new AsyncLocalStorage<OpenTransaction>();

function openTransaction(): OpenTransaction | undefined {
  const transaction = callersTransaction.getStore();
  return transaction?.hasEnded === false ? transaction : undefined;
}

/**
 * A slow or irrevocable action was begun inside a transaction, which holds row locks. This is a bug of this program.
 */
export class InsideTransaction extends Error {
  constructor(what: string) {
    super(`${what} must not happen inside a database transaction`);
  }
}

/** Throws when the caller is inside `Database.transaction`. Exchange calls and enqueues call it first. */
export function assertOutsideTransaction(what: string): void {
  if (openTransaction() !== undefined) throw new InsideTransaction(what);
}

/**
 * Throws when the caller is inside `Database.transaction`: a statement outside of `tx` needs a second connection. When
 * all connections belong to transactions that need a second one, they wait for each other.
 */
function assertNoSecondConnection(): void {
  assertOutsideTransaction('a statement without the tx of the transaction');
}

/**
 * Runs `work` after the commit of the caller's transaction, and not after a rollback. Outside of a transaction it runs
 * at once. Only for work that may be lost, because the process may end before it runs.
 */
export function afterCommit(work: () => void): void {
  const transaction = openTransaction();
  if (transaction === undefined) work();
  else transaction.afterCommit.push(work);
}

/** How many connections a pool has, how many of them are idle, and how many calls wait for a connection. */
export interface PoolUsage {
  total: number;
  idle: number;
  waiting: number;
}

/** A SELECT of all columns of an entity. */
export interface EntityStatement<Entity> {
  name: string;
  of: new () => Entity;
  /** The condition, with `$1` parameters. It must match few rows, because the statement has no LIMIT. */
  where: string;
  /** Further columns, which become members of the entity. */
  also?: string;
  /** Common table expressions that `where` and `also` use. */
  with?: string;
  /** See `NamedStatement`. */
  isRare?: boolean;
}

/** An INSERT of one entity, with the values of its parameters. */
export interface EntityInsert {
  text: string;
  values: unknown[];
}

/** A SELECT of an entity, and the functions that turn a row into an entity. */
interface EntityReader {
  statement: NamedStatement;
  rows: RowReader<unknown>;
}

/** The statements of one call of `together`, which are sent in one round trip. */
interface Collected {
  tx: EntityManager | null;
  selects: Batched[];
}

const PLAIN_ROWS: RowReader<object> = { create: () => ({}), convert: new Map() };

/** The database of this process. Inside `transaction` use only the given `tx`, never this object. */
@Injectable()
export class Database {
  private readonly readers = new Map<string, EntityReader>();
  /** The statements that the running call of `together` has collected; null = no call is running. */
  private collected: Collected | null = null;

  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  /** Runs `work` in one READ COMMITTED transaction, and rolls it back when `work` throws. */
  async transaction<T>(work: (tx: EntityManager) => Promise<T>): Promise<T> {
    assertNoSecondConnection();
    const transaction: OpenTransaction = { afterCommit: [], hasEnded: false };
    const runner = beginsLate(this.dataSource.createQueryRunner());
    try {
      // Connects before the work. A connection that arrived only after the end of the work would never be released.
      await runner.connect();
      const result = await callersTransaction.run(transaction, () => runner.manager.transaction(work));
      transaction.hasEnded = true;
      for (const run of transaction.afterCommit) run();
      return result;
    } finally {
      transaction.hasEnded = true;
      await runner.release();
    }
  }

  /**
   * Calls `begin`, and sends the prepared statements that it starts in one round trip. They run one after the other, in
   * the order of their calls. When one fails, those after it do not run, and fail, too. A nested call adds to the same
   * round trip.
   * @param tx the transaction of all these statements; null = the statements only read, outside of a transaction.
   * @param begin starts the statements before it waits for anything. When it throws, none is sent.
   */
  together<T>(tx: EntityManager | null, begin: () => T): T {
    if (this.collected !== null) return begin();
    const collected: Collected = { tx, selects: [] };
    this.collected = collected;
    let begun: T;
    try {
      begun = begin();
    } finally {
      this.collected = null;
    }
    this.sendTogether(collected);
    return begun;
  }

  /**
   * Runs one statement with `$1` parameters, inside `tx` when it is given. Returns the rows of SELECT or RETURNING;
   * numeric, bigint and count(*) are strings. Bypasses TypeORM, which would cost as much CPU time as the driver does.
   */
  query<Row>(sql: string, parameters: unknown[] = [], tx?: EntityManager): Promise<Row[]> {
    if (tx === undefined) assertNoSecondConnection();
    const statement = { text: sql, values: parameters };
    const rows = tx === undefined ? this.selectAlone<Row>(statement) : runIn<Row & object>(tx, statement);
    return this.result<Row>(statement, rows);
  }

  /**
   * Runs a prepared statement, inside `tx` when it is given. It costs less than `query`, because PostgreSQL does not
   * parse the text again, and does not describe the columns again.
   */
  async read<Row>(statement: NamedStatement, values: unknown[], tx?: EntityManager): Promise<Row[]> {
    return this.select(new NamedSelect(statement, values, PLAIN_ROWS as RowReader<Row>), values, tx);
  }

  /**
   * Reads entities by a prepared SELECT, inside `tx` when it is given. The entities equal those that a TypeORM
   * repository returns.
   */
  async readEntities<Entity, Also = unknown>(
    given: EntityStatement<Entity>,
    values: unknown[],
    tx?: EntityManager,
  ): Promise<(Entity & Also)[]> {
    let reader = this.readers.get(given.name);
    if (reader === undefined) {
      reader = this.readerOf(given);
      this.readers.set(given.name, reader);
    }
    return this.select(new NamedSelect(reader.statement, values, reader.rows as RowReader<Entity & Also>), values, tx);
  }

  /** Inserts an entity with all its columns, as a TypeORM repository does, but with a fraction of the CPU time. */
  async insertEntity<Entity extends object>(tx: EntityManager, entity: Entity): Promise<void> {
    const { text, values } = this.insertOf(entity);
    await this.read({ name: `insert ${entity.constructor.name}`, text }, values, tx);
  }

  /** Returns the INSERT of `insertEntity`, for a longer statement whose first parameters are those of the INSERT. */
  insertOf<Entity extends object>(entity: Entity): EntityInsert {
    const { columns, tablePath } = this.dataSource.getMetadata(entity.constructor);
    const values = columns.map(({ propertyName, type, transformer }) => {
      const value: unknown = entity[propertyName as keyof Entity];
      if (value === null || value === undefined) return null;
      if (transformer !== undefined && !Array.isArray(transformer)) return transformer.to(value) as unknown;
      // Without this conversion the driver would write an array as a PostgreSQL array.
      return type === 'jsonb' ? JSON.stringify(value) : value;
    });
    const names = columns.map(({ databaseName }) => databaseName).join(', ');
    const places = columns.map((_, index) => `$${index + 1}`).join(', ');
    return { text: `insert into ${tablePath} (${names}) values (${places})`, values };
  }

  /**
   * Repeats a statement that deletes at most `batch` rows (with RETURNING) until it deletes fewer, so that no
   * transaction is long. @returns the number of deleted rows.
   */
  async deleteInBatches(sql: string, parameters: unknown[], batch: number): Promise<number> {
    let deleted = 0;
    for (let last = batch; last === batch; deleted += last) {
      last = (await this.query(sql, [...parameters, batch])).length;
    }
    return deleted;
  }

  /** @throws InsideTransaction: inside a transaction, use `tx.getRepository`. */
  repository<Entity extends ObjectLiteral>(entity: EntityTarget<Entity>): Repository<Entity> {
    assertNoSecondConnection();
    return this.dataSource.getRepository(entity);
  }

  pool(): PoolUsage {
    const pool = this.sharedPool;
    return { total: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount + pool.waitingForShare };
  }

  /** Whether the database responds, accepts writes, and has every migration of this build. */
  async isReady(expectedMigrations: number): Promise<boolean> {
    const migrations = await this.countMigrationsUnlessReadOnly();
    return migrations !== null && migrations >= expectedMigrations;
  }

  /** Whether the database accepts writes. @throws the errors of a query */
  async acceptsWrites(): Promise<boolean> {
    return (await this.countMigrationsUnlessReadOnly()) !== null;
  }

  /** Returns null when the database is read-only. */
  private async countMigrationsUnlessReadOnly(): Promise<number | null> {
    try {
      // PostgreSQL refuses this DELETE in a read-only session, although it deletes nothing.
      const [row] = await this.query<{ migrations: string }>(
        `with nothing as (delete from topic_messages where false) select count(*) as migrations from migrations`,
      );
      return Number(row?.migrations);
    } catch (error) {
      if (sqlRefusalOf(error).code === READ_ONLY) return null;
      throw error;
    }
  }

  /** Returns the current role if it has the rights of the owner of the tables, as superusers have; otherwise null. */
  async findOwningRole(): Promise<string | null> {
    const [row] = await this.query<{ role: string }>(
      `select current_user as role from pg_class
        where oid = 'migrations'::regclass and pg_has_role(current_user, relowner, 'member')`,
    );
    return row?.role ?? null;
  }

  private select<Row>(select: NamedSelect<Row>, values: unknown[], tx: EntityManager | undefined): Promise<Row[]> {
    return this.result({ text: select.text, values }, this.rowsOf(select, tx));
  }

  private selectAlone<Row>({ text, values }: { text: string; values: unknown[] }): Promise<Row[]> {
    const reader = PLAIN_ROWS as RowReader<Row>;
    return selectOn(this.sharedPool, new NamedSelect({ name: '', text, isRare: true }, values, reader));
  }

  private rowsOf<Row>(select: NamedSelect<Row>, tx: EntityManager | undefined): Promise<Row[]> {
    if (tx === undefined) assertNoSecondConnection();
    const { collected } = this;
    if (collected === null) return tx === undefined ? selectOn(this.sharedPool, select) : selectIn(tx, select);
    if (collected.tx !== (tx ?? null)) throw new Error('these statements do not belong to one transaction');
    collected.selects.push(select);
    return select.ended();
  }

  private sendTogether({ tx, selects }: Collected): void {
    if (selects.length === 0) return;
    if (tx === null) selectAllOn(this.sharedPool, selects);
    else selectAllIn(tx, selects);
  }

  private get sharedPool(): SharedPool {
    return (this.dataSource.driver as PostgresDriver).master as SharedPool;
  }

  private async result<Row>(sent: { text: string; values: unknown[] }, rows: Promise<Row[]>): Promise<Row[]> {
    this.dataSource.logger.logQuery(sent.text, sent.values);
    try {
      return await rows;
    } catch (error) {
      // The driver's stack trace shows only the socket. The new one shows the caller.
      if (error instanceof Error) Error.captureStackTrace(error);
      throw error;
    }
  }

  private readerOf<Entity>(given: EntityStatement<Entity>): EntityReader {
    const { name, of: Entity, where, also, with: tables, isRare } = given;
    const { columns, tablePath } = this.dataSource.getMetadata(Entity);
    const list = columns.map(({ databaseName, propertyName }) => `${databaseName} as "${propertyName}"`);
    if (also !== undefined) list.push(also);
    const prefix = tables === undefined ? '' : `with ${tables} `;
    const convert = new Map<string, (value: unknown) => unknown>();
    for (const { propertyName, transformer } of columns) {
      if (transformer === undefined || Array.isArray(transformer)) continue;
      convert.set(propertyName, (value) => transformer.from(value) as unknown);
    }
    return {
      statement: { name, text: `${prefix}select ${list.join(', ')} from ${tablePath} where ${where}`, isRare },
      rows: { create: () => new Entity() as object, convert },
    };
  }
}

/** Runs a statement on the connection of an open transaction. */
async function runIn<Row extends object>(tx: EntityManager, statement: pg.QueryConfig): Promise<Row[]> {
  const client = await clientOf(tx);
  for (const begin of beginningOf(tx)) {
    const begun = begin.ended();
    new SelectBatch([begin]).runOn(client);
    await begun;
  }
  return (await client.query<Row>(statement)).rows;
}

async function selectIn<Row>(tx: EntityManager, select: NamedSelect<Row>): Promise<Row[]> {
  const rows = select.ended();
  selectAllIn(tx, [select]);
  return rows;
}

/** Runs statements in a transaction. Sends BEGIN first when PostgreSQL has not begun the transaction. */
function selectAllIn(tx: EntityManager, selects: Batched[]): void {
  clientOf(tx)
    .then((client) => new SelectBatch([...beginningOf(tx), ...selects]).runOn(client))
    .catch((error: unknown) => {
      for (const select of selects) select.handleError(error as Error);
    });
}

async function clientOf({ queryRunner }: EntityManager): Promise<pg.PoolClient> {
  // The connection of a transaction that has ended may already belong to another transaction.
  if (queryRunner === undefined || queryRunner.isReleased) throw new QueryRunnerAlreadyReleasedError();
  const client = (await queryRunner.connect()) as pg.PoolClient;
  // When the code of a transaction does not await a statement, the transaction may end before the statement is sent.
  if (!queryRunner.isTransactionActive) throw new TransactionNotStartedError();
  return client;
}
