import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { migrate } from '#platform/database';
import { eraseEmbeddedPostgres, startEmbeddedPostgres } from '#platform/embedded-postgres';

/** The addresses of a migrated database, as the owner of its tables and as the application. */
export interface DatabaseUrls {
  owner: string;
  app: string;
}

/**
 * Starts a PostgreSQL server with one migrated database, and opens something on it.
 * @param port the server takes it or the next free one.
 * @returns the result of `open`, and a function that erases the server. When `open` throws, the server is erased.
 */
export async function onOwnPostgres<T>(
  { name, port }: { name: string; port: number },
  open: (urls: DatabaseUrls) => Promise<T>,
): Promise<{ opened: T; erase: () => void }> {
  const parent = mkdtempSync(path.join(tmpdir(), `causeway-${name}-`));
  const options = { dir: path.join(parent, 'data'), port, nextFreePort: true, durable: false };
  const erase = (): void => {
    eraseEmbeddedPostgres(options);
    rmSync(parent, { recursive: true, force: true });
  };
  try {
    const server = await startEmbeddedPostgres(options);
    await server.createDatabase(name);
    await migrate(server.ownerUrl(name));
    return { opened: await open({ owner: server.ownerUrl(name), app: server.appUrl(name) }), erase };
  } catch (error) {
    erase();
    throw error;
  }
}
