import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { migrate } from '#platform/database';
import {
  eraseEmbeddedPostgres,
  startEmbeddedPostgres,
  type EmbeddedPostgresOptions,
} from '#platform/embedded-postgres';

/** The addresses of a migrated database, as the owner of its tables and as the application. */
export interface DatabaseUrls {
  owner: string;
  app: string;
}

/** All threads of this process use this prefix, so that the main thread finds the folders of the worker threads. */
const FOLDERS = `causeway-servers-${process.pid}-`;

/**
 * Starts a PostgreSQL server with one migrated database, and calls `open` with the addresses of the database.
 * @param port the server listens on this port, or on the next free one.
 * @returns the result of `open`, and a function that erases the server. When `open` throws, the server is erased.
 */
export async function onOwnPostgres<T>(
  { name, port }: { name: string; port: number },
  open: (urls: DatabaseUrls) => Promise<T>,
): Promise<{ opened: T; erase: () => void }> {
  const parent = mkdtempSync(path.join(tmpdir(), FOLDERS));
  const options = optionsIn(parent, port);
  const erase = (): void => eraseServer(parent, port);
  try {
    const server = await startEmbeddedPostgres(options);
    await server.createDatabase(name);
    await migrate(server.ownerUrl(name));
    return { opened: await open({ owner: server.ownerUrl(name), app: server.jointUrl(name) }), erase };
  } catch (error) {
    erase();
    throw error;
  }
}

/**
 * Erases the servers of all threads of this process. Call it when the process exits: the `exit` handlers of its worker
 * threads do not run then, and servers outlive the process that started them.
 */
export function eraseOwnServers(): void {
  for (const name of readdirSync(tmpdir())) if (name.startsWith(FOLDERS)) eraseServer(path.join(tmpdir(), name), 0);
}

function eraseServer(parent: string, port: number): void {
  eraseEmbeddedPostgres(optionsIn(parent, port));
  rmSync(parent, { recursive: true, force: true });
}

function optionsIn(parent: string, port: number): EmbeddedPostgresOptions {
  return { dir: path.join(parent, 'data'), port, nextFreePort: true, durable: false };
}
