import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import type { EntityManager } from 'typeorm';
import { isOutage } from '#platform/errors';
import { createTestModule, until, type TestModule } from '#platform/testing';
import type { NamedStatement } from './database.js';

const SLEEP: NamedStatement = { name: 'sleep of a test', text: 'select pg_sleep($1::float8)' };
const INSERT: NamedStatement = {
  name: 'insert for a failed test',
  text: `insert into organizations (id, name, created_at) values ($1, $2, now())`,
};
const NAME: NamedStatement = { name: 'name of a failed test', text: 'select name from organizations where id = $1' };

describe('a transaction that fails', () => {
  let db: TestModule['db'];
  let close: TestModule['close'];

  beforeAll(async () => {
    // PostgreSQL ends a statement after 500 ms. The client waits for CLIENT_GRACE_MS longer: for 1,500 ms.
    const env = { DATABASE_STATEMENT_TIMEOUT_MS: '500', DATABASE_POOL_MAX: '2' };
    ({ db, close } = await createTestModule({ env }));
  });
  afterAll(() => close());

  const nameOf = (id: string): Promise<unknown[]> => db.read(NAME, [id]);
  const clientOf = async ({ queryRunner }: EntityManager): Promise<pg.PoolClient> =>
    (await queryRunner?.connect()) as pg.PoolClient;
  const used = (): number => db.pool().total - db.pool().idle;

  it('is not committed together with the next transaction when its rollback fails', async () => {
    const [failed, next, alone] = [randomUUID(), randomUUID(), randomUUID()];
    const sleeps: Promise<unknown>[] = [];
    const transaction = db.transaction(async (tx) => {
      await db.read(INSERT, [failed, 'of the failed one'], tx);
      const client = await clientOf(tx);
      // The rollback waits behind these statements for longer than the client waits for a response.
      for (let count = 0; count < 6; count++) sleeps.push(client.query('select pg_sleep(0.4)').catch(() => undefined));
      throw new Error('of the work');
    });
    await expect(transaction).rejects.toThrow('of the work');
    await db.transaction((tx) => db.read(INSERT, [next, 'of the next one'], tx));
    await db.read(INSERT, [alone, 'without a transaction']);
    await Promise.all(sleeps);
    await until('no connection is used', () => used() === 0);
    expect([await nameOf(failed), await nameOf(next), await nameOf(alone)]).toEqual([
      [],
      [{ name: 'of the next one' }],
      [{ name: 'without a transaction' }],
    ]);
  });

  it('counts as an outage when its connection is lost in its first round trip', async () => {
    let client: object = {};
    const transaction = db.transaction(async (tx) => {
      client = await clientOf(tx);
      await db.read(SLEEP, [0.4], tx);
    });
    const failure = transaction.catch((error: unknown) => error);
    await until('the transaction has a connection', () => 'connection' in client);
    const { connection } = client as { connection: pg.Connection };
    connection.stream.destroy(Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' }));
    expect(isOutage(await failure)).toBe(true);
  });

  it('leaves no row of a statement that its code did not await', async () => {
    const id = randomUUID();
    let insert: Promise<unknown> = Promise.resolve();
    const transaction = db.transaction((tx) => {
      insert = db.read(INSERT, [id, 'never'], tx).catch(() => undefined);
      return Promise.reject(new Error('of the work'));
    });
    await expect(transaction).rejects.toThrow('of the work');
    await insert;
    expect([await nameOf(id), used()]).toEqual([[], 0]);
  });

  it('cannot be committed after its code has ignored the failure of a statement', async () => {
    const id = randomUUID();
    const ignored = db.transaction(async (tx) => {
      await db.read(INSERT, [id, 'never'], tx);
      await db.query('select 1 / 0', [], tx).catch(() => undefined);
    });
    await expect(ignored).rejects.toThrow('a statement of the transaction failed');
    expect([await nameOf(id), used()]).toEqual([[], 0]);
  });

  it('keeps a row that is inserted after the rollback of a savepoint', async () => {
    const [kept, undone] = [randomUUID(), randomUUID()];
    await db.transaction(async (tx) => {
      await tx
        .transaction(async (inner) => {
          await db.read(INSERT, [undone, 'undone'], inner);
          await db.query('select 1 / 0', [], inner);
        })
        .catch(() => undefined);
      await db.read(INSERT, [kept, 'kept'], tx);
    });
    expect([await nameOf(kept), await nameOf(undone)]).toEqual([[{ name: 'kept' }], []]);
  });
});

describe('two statements with one name', () => {
  it('are refused when their texts differ', async () => {
    const { db, close } = await createTestModule();
    await db.read({ name: 'two texts of a test', text: 'select 1 as number' }, []);
    const other = db.read({ name: 'two texts of a test', text: 'select 2 as number' }, []);
    await expect(other).rejects.toThrow('Prepared statements must be unique');
    await close();
  });
});

describe('a statement', () => {
  it('takes lists of bytes, and objects as JSON', async () => {
    const { db, close } = await createTestModule();
    const bytes = [Buffer.from('a\\"b'), Buffer.alloc(0)];
    const sql = `select $1::bytea[] as bytes, $2::jsonb as json`;
    expect(await db.query(sql, [bytes, { a: [1, 'x'] }])).toEqual([{ bytes, json: { a: [1, 'x'] } }]);
    await close();
  });
});
