import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { DataSource } from 'typeorm';
import type { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver.js';
import { createTestModule, type TestModule } from '#platform/testing';
import { acrossProjects, EVERY_PROJECT, runForProject } from './project-scope.js';

const PRESENT = { name: 'present project', text: `select current_setting('causeway.project_id', true) as id` };

describe('the project of a statement', () => {
  let test: TestModule;
  let roundTrips = 0;

  beforeAll(async () => {
    test = await createTestModule({
      role: 'api',
      env: { DATABASE_POOL_MAX: '3', DATABASE_CONNECT_TIMEOUT_MS: '60000' },
    });
    const pool = (test.module.get(DataSource).driver as PostgresDriver).master as pg.Pool;
    const counted = new WeakSet<pg.PoolClient>();
    pool.on('acquire', (client) => {
      if (counted.has(client)) return;
      counted.add(client);
      (client as pg.Client & pg.PoolClient).connection.on('readyForQuery', () => (roundTrips += 1));
    });
  });
  afterAll(() => test.close());

  const present = async (): Promise<string | null> =>
    (await test.db.read<{ id: string | null }>(PRESENT, []))[0]?.id ?? null;
  const queried = async (): Promise<string | null> =>
    (await test.db.query<{ id: string | null }>(PRESENT.text))[0]?.id ?? null;
  const byTypeOrm = async (): Promise<string | null> =>
    (await test.module.get(DataSource).query<{ id: string | null }[]>(PRESENT.text))[0]?.id ?? null;
  const inTransaction = (): Promise<string | null> =>
    test.db.transaction(async (tx) => (await test.db.read<{ id: string | null }>(PRESENT, [], tx))[0]?.id ?? null);
  const inTypeOrmTransaction = (): Promise<string | null> =>
    test.db.transaction(async (tx) => (await tx.query<{ id: string | null }[]>(PRESENT.text))[0]?.id ?? null);
  const ways = { present, queried, byTypeOrm, inTransaction, inTypeOrmTransaction };

  it.each(Object.entries(ways))('reaches PostgreSQL (%s), and is gone for the next statement', async (_way, read) => {
    const project = randomUUID();
    expect(await runForProject(project, read)).toBe(project);
    expect(await acrossProjects(read)).toBe(EVERY_PROJECT);
    expect((await read()) ?? '').toBe('');
  });

  it('is never that of other work, whichever connection the statement gets', async () => {
    const reads = Array.from({ length: 60 }, async (_, index) => {
      const read = Object.values(ways)[index % 5] ?? present;
      const project = index % 4 === 0 ? '' : randomUUID();
      const found = project === '' ? await read() : await runForProject(project, read);
      expect(found ?? '').toBe(project);
    });
    await Promise.all(reads);
  });

  it('costs a round trip only on a connection that had another project before', async () => {
    const project = randomUUID();
    // Each way uses the connection that became free last.
    await runForProject(project, present);
    for (const [read, expected] of [[present, 1], [queried, 1], [inTransaction, 3]] as const) {
      roundTrips = 0;
      await runForProject(project, read);
      expect(roundTrips).toBe(expected);
    }
    roundTrips = 0;
    await runForProject(randomUUID(), present);
    expect(roundTrips).toBe(2);
  }); // prettier-ignore

  it('of another request is never kept when it cannot be replaced: the connection is closed', async () => {
    const pools = (test.module.get(DataSource).driver as PostgresDriver).master as pg.Pool;
    await runForProject(randomUUID(), present);
    const client = await runForProject(randomUUID(), () => pools.connect());
    Object.assign(client, { query: () => Promise.reject(new Error('refused')) });
    client.release();
    const before = pools.totalCount;
    await expect(runForProject(randomUUID(), () => pools.connect())).rejects.toThrow('refused');
    expect(pools.totalCount).toBe(before - 1);
  });

  it('is not that of an earlier statement after a statement or a transaction has failed', async () => {
    const project = randomUUID();
    const failed = runForProject(project, () => test.db.query('select 1 / 0'));
    await expect(failed).rejects.toThrow('division by zero');
    const rolledBack = runForProject(project, () => test.db.transaction((tx) => test.db.query('select 1 / 0', [], tx)));
    await expect(rolledBack).rejects.toThrow('division by zero');
    for (const read of Object.values(ways)) expect((await read()) ?? '').toBe('');
  });

  it('leaves the isolation of a transaction to its first statement', async () => {
    const level = await acrossProjects(() =>
      test.db.transaction(async (tx) => {
        await test.db.query('set transaction isolation level repeatable read, read only', [], tx);
        return test.db.query<{ transaction_isolation: string }>('show transaction_isolation', [], tx);
      }),
    );
    expect(level).toEqual([{ transaction_isolation: 'repeatable read' }]);
  });
});
