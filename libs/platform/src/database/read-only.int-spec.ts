import pg from 'pg';
import { createTestModule, until, type TestModule } from '#platform/testing';
import { migrations } from './migrations/index.js';

const SETTING = 'default_transaction_read_only';

describe('a database that refuses writes', () => {
  let db: TestModule['db'];
  let close: TestModule['close'];
  let owner: pg.Client;
  let name: string;

  beforeAll(async () => {
    const created = await createTestModule({ env: { DATABASE_POOL_MAX: '2' } });
    ({ db, close } = created);
    name = new URL(created.database.ownerUrl).pathname.slice(1);
    owner = new pg.Client(created.database.ownerUrl);
    await owner.connect();
  });
  afterEach(() => owner.query(`alter database ${name} reset ${SETTING}`));
  afterAll(async () => {
    await owner.end();
    await close();
  });

  /** Makes the database read-only for new sessions, and ends the sessions that can still write. */
  const refuseWrites = async (): Promise<void> => {
    await owner.query(`alter database ${name} set ${SETTING} = on`);
    const others = 'select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = $1 and pid <> $2';
    const { rows } = await owner.query<{ pid: number }>('select pg_backend_pid() as pid');
    await owner.query(others, [name, rows[0]?.pid]);
    await until('the pool has removed the sessions that were ended', () => db.pool().total === 0);
  };
  const write = (): Promise<unknown> => db.query('delete from events where false');
  const writeInTransaction = (): Promise<unknown> =>
    db.transaction((tx) => db.query('delete from events where false', [], tx));
  const READ_ONLY = { code: '25006' };

  it('is not ready, and is ready again as soon as it accepts writes', async () => {
    const state = () => Promise.all([db.isReady(migrations.length), db.acceptsWrites()]);
    expect(await state()).toEqual([true, true]);
    await refuseWrites();
    expect(await state()).toEqual([false, false]);
    await owner.query(`alter database ${name} reset ${SETTING}`);
    expect(await state()).toEqual([true, true]);
  });

  it.each([
    ['statements', write],
    ['transactions', writeInTransaction],
  ])(
    'gets new sessions for %s as soon as it accepts writes again, because the pool closes the read-only sessions',
    async (_, attempt) => {
      await refuseWrites();
      await expect(Promise.all([attempt(), attempt()])).rejects.toMatchObject(READ_ONLY);
      await owner.query(`alter database ${name} reset ${SETTING}`);
      await expect(Promise.all([attempt(), attempt()])).resolves.toBeDefined();
    },
  );
});
