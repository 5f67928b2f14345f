import { AsyncLocalStorage } from 'node:async_hooks';
import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import pg from 'pg';
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
import type { DatabasePools } from './database-pools.js';
import { READ_ONLY } from './read-only-sessions.js';
import { sqlRefusalOf } from './sql-refusal.js';

/** A statement that each connection prepares once, under its name. Equal names must have equal texts. */
export interface NamedStatement {
  name: string;
  text: string;
  /**
   * true: PostgreSQL prepares the statement for each run and then forgets it. A connection keeps all other statements
   * until it closes, with tens of kilobytes for each. So statements that callers can vary in many ways must be rare.
   */
  isRare?: boolean;
}

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

/** A SELECT of an entity, and the function that turns its rows into entities. */
interface EntityReader {
  statement: NamedStatement;
  toEntity: (row: Readonly<Record<string, unknown>>) => unknown;
}

/**
 * The code ignored the failure of a statement and asked for a commit. PostgreSQL answers such a COMMIT with a rollback
 * and reports no error.
 */
class AlreadyFailed extends Error {
  constructor() {
    super('a statement of the transaction failed, so it cannot be committed');
  }
}

/** The database of this process. Inside `transaction` use only the given `tx`, never this object. */
@Injectable()
export class Database {
  private readonly readers = new Map<string, EntityReader>();

  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  /** Runs `work` in one READ COMMITTED transaction, and rolls it back when `work` throws. */
  async transaction<T>(work: (tx: EntityManager) => Promise<T>): Promise<T> {
    assertNoSecondConnection();
    const transaction: OpenTransaction = { afterCommit: [], hasEnded: false };
    const runner = this.dataSource.createQueryRunner();
    // Connects before the work. A connection that arrived only after the end of the work would never be released.
    const client = (await runner.connect()) as pg.PoolClient;
    try {
      await runner.startTransaction();
      const result = await callersTransaction.run(transaction, () => work(runner.manager));
      await commit(client);
      transaction.hasEnded = true;
      for (const run of transaction.afterCommit) run();
      return result;
    } catch (error) {
      await runner.rollbackTransaction().catch(() => undefined);
      throw error;
    } finally {
      transaction.hasEnded = true;
      // After a failed rollback, the next user of the connection would join the transaction. The pool drops a
      // connection that is ending.
      if (client.getTransactionStatus() !== 'I') void client.end();
      await runner.release();
    }
  }

  /**
   * Runs one statement with `$1` parameters, inside `tx` when it is given. Returns the rows of SELECT or RETURNING;
   * numeric, bigint and count(*) are strings. Bypasses TypeORM, which would cost as much CPU time as the driver does.
   */
  query<Row>(sql: string, parameters: unknown[] = [], tx?: EntityManager): Promise<Row[]> {
    return this.run<Row>({ text: sql, values: parameters }, tx);
  }

  /** Runs a prepared statement, inside `tx` when it is given. PostgreSQL parses its text once for each connection. */
  read<Row>({ name, text, isRare }: NamedStatement, values: unknown[], tx?: EntityManager): Promise<Row[]> {
    return this.run<Row>({ name: isRare === true ? undefined : name, text, values }, tx);
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
    const rows = await this.read<Record<string, unknown>>(reader.statement, values, tx);
    return rows.map(reader.toEntity) as (Entity & Also)[];
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
    return this.pools.usage;
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

  private get pools(): DatabasePools {
    return (this.dataSource.driver as PostgresDriver).master as DatabasePools;
  }

  private async run<Row>(statement: pg.QueryConfig, tx: EntityManager | undefined): Promise<Row[]> {
    if (tx === undefined) assertNoSecondConnection();
    this.dataSource.logger.logQuery(statement.text, statement.values);
    const { rows } = (await (tx === undefined
      ? this.runAlone(statement)
      : (await clientOf(tx)).query(statement))) as pg.QueryResult<Row & object>;
    return rows;
  }

  /** Unlike `pool.query`, this keeps the connection open when PostgreSQL refuses the statement. */
  private async runAlone(statement: pg.QueryConfig): Promise<pg.QueryResult> {
    const client = await this.pools.connect();
    let failure: Error | undefined;
    try {
      return await client.query(statement);
    } catch (error) {
      failure = error as Error;
      throw error;
    } finally {
      // After an error that is not PostgreSQL's, the statement may still run on the connection, which is closed then.
      client.release(failure instanceof pg.DatabaseError ? undefined : failure);
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
    const text = `${prefix}select ${list.join(', ')} from ${tablePath} where ${where}`;
    const toEntity: EntityReader['toEntity'] = (row) => {
      const entity = Object.assign(new Entity() as Record<string, unknown>, row);
      for (const [name, fromColumn] of convert) entity[name] = fromColumn(row[name]);
      return entity;
    };
    return { statement: { name, text, isRare }, toEntity };
  }
}

/**
 * Commits. TypeORM does not report which command PostgreSQL has executed.
 * @throws AlreadyFailed
 */
async function commit(client: pg.PoolClient): Promise<void> {
  const { command } = await client.query('COMMIT');
  if (command !== 'COMMIT') throw new AlreadyFailed();
}

/** Returns the connection of an open transaction. */
async function clientOf({ queryRunner }: EntityManager): Promise<pg.PoolClient> {
  // The connection of a transaction that has ended may already belong to another transaction.
  if (queryRunner === undefined || queryRunner.isReleased) throw new QueryRunnerAlreadyReleasedError();
  const client = (await queryRunner.connect()) as pg.PoolClient;
  // When the code of a transaction does not await a statement, the transaction may end before the statement is sent.
  if (!queryRunner.isTransactionActive) throw new TransactionNotStartedError();
  return client;
}
