import { createPostgresBackend } from 'bullmq';
import pg from 'pg';
import { StartRefused } from '#platform/lifecycle';
import { createTestDatabase, TcpRelay } from '#platform/testing';
import { patient } from './patient-backend.js';
import { QueueHarness } from './testing/queue-harness.js';
import { describeQueues, type QueueServer } from './testing/queue-suite.js';

const DEADLOCK = '40P01';

async function openPostgres(): Promise<QueueServer> {
  const database = await createTestDatabase();
  const target = new URL(database.appUrl);
  const relay = await TcpRelay.start(Number(target.port), target.hostname);
  target.hostname = '127.0.0.1';
  target.port = String(relay.port);
  const owner = new pg.Client(database.ownerUrl);
  await owner.connect();
  return {
    settings: { DATABASE_URL: target.toString() },
    eraseData: () => eraseData(owner),
    interrupt: async () => relay.cut(),
    restore: async () => relay.mend(),
    close: async () => {
      const { rows } = await owner.query(
        `select relname from pg_class where relowner = (select oid from pg_roles where rolname = $1)`,
        [target.username],
      );
      relay.close();
      await owner.end();
      await database.drop();
      // Proves that the tests ran as a role that owns no object of the database.
      expect(rows).toEqual([]);
    },
  };
}

/**
 * Deletes all rows of the queues. Repeats the statement after a deadlock with a worker, whose statements lock the
 * tables in another order.
 */
async function eraseData(owner: pg.Client): Promise<void> {
  const tables = 'bullmq.job, bullmq.scheduler, bullmq.dedup, bullmq.meta, bullmq.event';
  await owner.query(`truncate ${tables} cascade`).catch((error: unknown) => {
    if (error instanceof pg.DatabaseError && error.code === DEADLOCK) return eraseData(owner);
    throw error;
  });
}

describeQueues('PostgreSQL', openPostgres);

describe('a backend in PostgreSQL', () => {
  it('that did not reach the server at its first call reaches it at a later call', async () => {
    const { settings, interrupt, restore, close } = await openPostgres();
    const pool = new pg.Pool({ connectionString: settings['DATABASE_URL'], options: '-c search_path=bullmq,public' });
    const backend = patient(createPostgresBackend)('probe', { connection: pool });
    await interrupt();
    for (const _ of [1, 2]) await expect(backend.isMaxed()).rejects.toThrow();
    await restore();
    expect(await backend.isMaxed()).toBe(false);
    await backend.close();
    await pool.end();
    await close();
  });
});

describe('a worker at its start', () => {
  it('refers to npm run migrate when the database has no tables of queues', async () => {
    const { appUrl, ownerUrl, drop } = await createTestDatabase();
    const owner = new pg.Client(ownerUrl);
    await owner.connect();
    await owner.query('drop schema bullmq cascade');
    await owner.end();
    const start = QueueHarness.start({ DATABASE_URL: appUrl });
    await expect(start).rejects.toThrow(
      new StartRefused('the database is not migrated: run npm run migrate (it has no tables of queues)'),
    );
    await expect(start).rejects.toBeInstanceOf(StartRefused);
    await drop();
  });
});
