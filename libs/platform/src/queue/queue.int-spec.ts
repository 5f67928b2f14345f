import pg from 'pg';
import { createTestDatabase } from '#platform/testing';
import { describeQueues, type QueueServer } from './testing/queue-suite.js';

async function openPostgres(): Promise<QueueServer> {
  const database = await createTestDatabase();
  const owner = new pg.Client(database.ownerUrl);
  await owner.connect();
  return {
    settings: { DATABASE_URL: database.appUrl },
    loseEverything: async () => {
      await owner.query(`truncate bullmq.job, bullmq.scheduler, bullmq.dedup, bullmq.meta, bullmq.event cascade`);
    },
    breakConnections: async () => {
      await owner.query(
        `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`,
      );
    },
    close: async () => {
      const { rows } = await owner.query(
        `select relname from pg_class where relowner = (select oid from pg_roles where rolname = $1)`,
        [new URL(database.appUrl).username],
      );
      await owner.end();
      await database.drop();
      // All of the above was done as a role that owns nothing.
      expect(rows).toEqual([]);
    },
  };
}

describeQueues('PostgreSQL', openPostgres);
