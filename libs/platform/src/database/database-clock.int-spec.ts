import { Test, type TestingModule } from '@nestjs/testing';
import { pino } from 'pino';
import { PlatformModule } from '#platform/app';
import { loadConfig } from '#platform/config';
import { createTestDatabase, type TestDatabase } from '#platform/testing';
import { Database, DatabaseClock } from './index.js';

describe("the database's clock on PostgreSQL", () => {
  let database: TestDatabase;
  let app: TestingModule;

  beforeAll(async () => {
    database = await createTestDatabase();
    const config = loadConfig({
      DATABASE_URL: database.appUrl,
      API_KEY_PEPPER: Buffer.alloc(32, 1).toString('base64'),
      VAULT_KEYS: `test:${Buffer.alloc(32, 1).toString('base64')}`,
    });
    const platform = PlatformModule.forRoot(config, pino({ level: 'silent' }), 'test');
    app = await Test.createTestingModule({ imports: [platform] }).compile();
  });

  afterAll(async () => {
    await app.close();
    await database.drop();
  });

  it("reads the server's time and compares this host's clock with it", async () => {
    const databaseClock = app.get(DatabaseClock);
    const time = await databaseClock.read();
    const [row] = await app
      .get(Database)
      .query<{ behindMs: number }>(
        `select extract(epoch from clock_timestamp() - $1::timestamptz)::float8 * 1000 as "behindMs"`,
        [time.now()],
      );
    expect(Math.abs(row?.behindMs ?? Infinity)).toBeLessThan(1_000);
    // The test server runs on this host.
    expect(Math.abs(databaseClock.lastDifferenceMs ?? Infinity)).toBeLessThan(1_000);
  });
});
