import { eraseEmbeddedPostgres } from '#platform/embedded-postgres';
import { DATA_FOLDER, dropDatabases, isAlive, SERVER_URL } from './test-server.js';

/** Drops the databases of this run. Erases the server when no other run uses it, because its data may be in memory. */
export default async function teardown(): Promise<void> {
  const url = process.env[SERVER_URL];
  if (url === undefined) return;
  Reflect.deleteProperty(process.env, SERVER_URL);
  const others = await dropDatabases(url, (pid) => pid === process.pid || !isAlive(pid));
  // Without a data folder, the server is that of TEST_DATABASE_URL, and is not erased.
  const { [DATA_FOLDER]: dir } = process.env;
  if (others > 0 || dir === undefined) return;
  eraseEmbeddedPostgres({ dir, port: Number(new URL(url).port), nextFreePort: true, durable: false });
}
