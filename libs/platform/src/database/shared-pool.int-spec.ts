import { runWithLoad } from '#platform/load';
import { createTestDatabase, type TestDatabase } from '#platform/testing';
import { SharedPool } from './shared-pool.js';

describe('a shared pool', () => {
  let database: TestDatabase;
  let pool: SharedPool;

  beforeAll(async () => {
    database = await createTestDatabase();
    pool = new SharedPool({ connectionString: database.appUrl, max: 2 });
  });

  afterAll(async () => {
    await pool.end();
    await database.drop();
  });

  it('runs no statement of a list whose client disconnected before a connection was free', async () => {
    const left = new AbortController();
    const list = { loadClass: 'list', clientLeft: left.signal } as const;
    // Lists have one connection of this pool, and this call holds it.
    const holder = await runWithLoad({ loadClass: 'list' }, () => pool.connect());
    const waiting = runWithLoad(list, () => pool.query('select 1'));
    left.abort();
    holder.release();
    await expect(waiting).rejects.toMatchObject({ status: 503 });
    expect((await pool.query<{ one: number }>('select 1 as one')).rows).toEqual([{ one: 1 }]);
    expect([pool.totalCount - pool.idleCount, pool.waitingForShare]).toEqual([0, 0]);
  });
});
