import { startEmbeddedPostgres } from '#platform/embedded-postgres';
import { dropDatabases, isAlive, SERVER_URL } from './test-server.js';

/** Drops the databases of this run, and stops the server when no other run uses it. */
export default async function teardown(): Promise<void> {
  const url = process.env[SERVER_URL];
  if (url === undefined) return;
  Reflect.deleteProperty(process.env, SERVER_URL);
  const others = await dropDatabases(url, (pid) => pid === process.pid || !isAlive(pid));
  if (others > 0 || process.env.TEST_DATABASE_URL !== undefined) return;
  const port = Number(new URL(url).port);
  const server = await startEmbeddedPostgres({ dir: '.local/test-database', port, nextFreePort: true, durable: false });
  server.stop();
}
