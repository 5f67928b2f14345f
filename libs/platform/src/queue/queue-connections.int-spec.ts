import { Queue } from 'bullmq';
import pg from 'pg';
import { loadConfig } from '#platform/config';
import { createTestDatabase, until } from '#platform/testing';
import { QueueConnections } from './queue-connections.js';

describe('the connections of the queues to PostgreSQL', () => {
  it('may be lost while a queue uses them, without an end of the process', async () => {
    const { appUrl, ownerUrl, drop } = await createTestDatabase();
    const connections = await QueueConnections.open(loadConfig({ NODE_ENV: 'test', DATABASE_URL: appUrl }));
    const pool = connections.forWorkers(1) as object as pg.Pool;
    const client = await pool.connect();
    let isLost = false;
    client.on('end', () => {
      isLost = true;
    });
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');

    const owner = new pg.Client(ownerUrl);
    await owner.connect();
    await owner.query('select pg_terminate_backend($1, 5000)', [rows[0]?.pid]);
    await owner.end();
    await until('the connection is lost', () => isLost);

    client.release();
    await connections.onApplicationShutdown();
    await drop();
  });

  it('are tried again at the start of a process, when all are in use for longer than the time-out', async () => {
    const { appUrl, drop } = await createTestDatabase();
    const settings = { DATABASE_CONNECT_TIMEOUT_MS: '2000', QUEUE_POOL_MAX: '2' };
    const connections = await QueueConnections.open(
      loadConfig({ NODE_ENV: 'test', DATABASE_URL: appUrl, ...settings }),
    );
    const connection = connections.forQueues();
    const pool = connection as object as pg.Pool;
    const users = [await pool.connect(), await pool.connect()];
    const queue = new Queue('busy', { connection });
    // The queue waits for its first connection, too, and reports the failure as an event.
    queue.on('error', () => undefined);
    let failures = 0;
    const waitUntilReady = (): ReturnType<Queue['waitUntilReady']> =>
      queue.waitUntilReady().catch((error: unknown) => {
        failures += 1;
        for (const user of users) user.release();
        throw error;
      });

    await connections.waitUntilReady([{ waitUntilReady }]);

    expect(failures).toBe(1);
    await queue.close();
    await connections.onApplicationShutdown();
    await drop();
  });
});
