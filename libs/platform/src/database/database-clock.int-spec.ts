import { createTestModule, type TestModule } from '#platform/testing';
import { DatabaseClock } from './index.js';

describe("the database's clock on PostgreSQL", () => {
  let created: TestModule;

  beforeAll(async () => {
    created = await createTestModule();
  });

  afterAll(() => created.close());

  it("reads the server's time and compares this host's clock with it", async () => {
    const databaseClock = created.module.get(DatabaseClock);
    const time = await databaseClock.read();
    const [row] = await created.db.query<{ behindMs: number }>(
      `select extract(epoch from clock_timestamp() - $1::timestamptz)::float8 * 1000 as "behindMs"`,
      [time.now()],
    );
    expect(Math.abs(row?.behindMs ?? Infinity)).toBeLessThan(1_000);
    // The test server runs on this host, so both read the same clock.
    expect(Math.abs(databaseClock.lastDifferenceMs ?? Infinity)).toBeLessThan(1_000);
  });
});
