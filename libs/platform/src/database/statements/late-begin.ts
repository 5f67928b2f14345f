import type pg from 'pg';
import { QueryRunnerAlreadyReleasedError, type EntityManager, type QueryRunner } from 'typeorm';
import { NamedSelect, type NamedStatement } from './named-select.js';

const BEGIN: NamedStatement = { name: 'start transaction', text: 'START TRANSACTION' };
const COMMIT = 'COMMIT';
const ROLLBACK = 'ROLLBACK';
const ENDS: readonly string[] = [COMMIT, ROLLBACK];

/** The query runners whose transaction TypeORM has begun, and PostgreSQL has not. */
const waiting = new WeakSet<QueryRunner>();

/**
 * A private method of TypeORM's query runner. It returns the connection to the pool, which then closes the connection
 * because of the error.
 */
interface ClosesConnection {
  releasePostgresConnection: (error: Error) => Promise<void>;
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

/**
 * Makes the transactions of a query runner begin with their first statement, so that the beginning costs no round trip.
 * A transaction without statements never reaches PostgreSQL. Statements that do not go through `query` of the runner
 * must send `beginningOf` first.
 */
export function beginsLate(runner: QueryRunner): QueryRunner {
  const query = runner.query.bind(runner) as (sql: string, ...rest: unknown[]) => Promise<unknown>;
  const late = async (sql: string, ...rest: unknown[]): Promise<unknown> => {
    if (sql === BEGIN.text) return void waiting.add(runner);
    if (!waiting.delete(runner)) {
      if (sql === COMMIT) return commit(runner);
      return sql === ROLLBACK ? rollback(runner, query) : query(sql, ...rest);
    }
    if (ENDS.includes(sql)) return undefined;
    await query(BEGIN.text);
    return query(sql, ...rest);
  };
  return Object.assign(runner, { query: late });
}

/** @throws AlreadyFailed; QueryRunnerAlreadyReleasedError when the connection may belong to another transaction */
async function commit(runner: QueryRunner): Promise<void> {
  if (runner.isReleased) throw new QueryRunnerAlreadyReleasedError();
  const client = (await runner.connect()) as pg.Client;
  const { command } = await client.query(COMMIT);
  if (command !== COMMIT) throw new AlreadyFailed();
}

/**
 * Rolls back. Closes the connection when that fails: the transaction may still be open, and the next user of the
 * connection would join the transaction.
 */
async function rollback(runner: QueryRunner, query: (sql: string) => Promise<unknown>): Promise<unknown> {
  try {
    return await query(ROLLBACK);
  } catch (error) {
    await (runner as object as ClosesConnection).releasePostgresConnection(error as Error);
    throw error;
  }
}

/**
 * Returns the BEGIN that must be sent before the first statement of a transaction; empty when the transaction has
 * begun.
 */
export function beginningOf({ queryRunner }: EntityManager): NamedSelect<object>[] {
  if (queryRunner === undefined || !waiting.delete(queryRunner)) return [];
  return [new NamedSelect(BEGIN, [], { create: () => ({}), convert: new Map() })];
}
