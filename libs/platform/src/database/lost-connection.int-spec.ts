import pg from 'pg';
import { Test, type TestingModule } from '@nestjs/testing';
import { pino } from 'pino';
import { PlatformModule } from '#platform/app';
import { loadConfig } from '#platform/config';
import { isOutage } from '#platform/errors';
import { createTestDatabase, type TestDatabase } from '#platform/testing';
import { Database } from './database.js';

describe('a transaction that loses its connection', () => {
  let database: TestDatabase;
  let app: TestingModule;
  let db: Database;
  let owner: pg.Client;

  beforeAll(async () => {
    database = await createTestDatabase();
    const config = loadConfig({
      DATABASE_URL: database.appUrl,
      API_KEY_PEPPER: Buffer.alloc(32, 1).toString('base64'),
      VAULT_KEYS: `test:${Buffer.alloc(32, 1).toString('base64')}`,
    });
    const platform = PlatformModule.forRoot(config, pino({ level: 'silent' }), 'test');
    app = await Test.createTestingModule({ imports: [platform] }).compile();
    db = app.get(Database);
    owner = new pg.Client(database.ownerUrl);
    await owner.connect();
  });

  afterAll(async () => {
    await owner.end();
    await app.close();
    await database.drop();
  });

  it.each([
    ['before its next statement', true],
    ['during a statement', false],
  ])('%s fails with an error that counts as an outage', async (_, isBetween) => {
    const failed: unknown = await db
      .transaction(async (tx) => {
        const [session] = await db.query<{ pid: number }>('select pg_backend_pid() as pid', [], tx);
        const during = isBetween ? null : db.query('select pg_sleep(60)', [], tx);
        // The failure is checked below.
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
