import pg from 'pg';
import { isOutage } from '#platform/errors';
import { createTestModule, type TestModule } from '#platform/testing';

describe('a transaction that loses its connection', () => {
  let db: TestModule['db'];
  let close: TestModule['close'];
  let owner: pg.Client;

  beforeAll(async () => {
    const created = await createTestModule();
    ({ db, close } = created);
    owner = new pg.Client(created.database.ownerUrl);
    await owner.connect();
  });

  afterAll(async () => {
    await owner.end();
    await close();
  });

  it.each([
    ['before its next statement', true],
    ['during a statement', false],
  ])('%s fails with an error that counts as an outage', async (_, isBetween) => {
    const failed: unknown = await db
      .transaction(async (tx) => {
        const [session] = await db.query<{ pid: number }>('select pg_backend_pid() as pid', [], tx);
        const during = isBetween ? null : db.query('select pg_sleep(60)', [], tx);
        // Prevents an unhandled rejection while the session is ended. `await` throws the error afterwards.
        during?.catch(() => undefined);
        await owner.query('select pg_terminate_backend($1, 5000)', [session?.pid]);
        await (during ?? db.query('select 1', [], tx));
      })
      .catch((error: unknown) => error);
    expect(String(failed)).toMatch(/error/i);
    expect(isOutage(failed)).toBe(true);
    await expect(db.query('select 1 as one')).resolves.toEqual([{ one: 1 }]);
  });
});
