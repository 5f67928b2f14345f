import { createRoles, startEmbeddedPostgres } from '#platform/embedded-postgres';
import { migrate } from '#platform/database';
import { dataFolder } from './data-folder.js';
import {
  DATA_FOLDER,
  dropDatabases,
  isAlive,
  onServer,
  prefixOf,
  ROLE_PASSWORD,
  RUN_PREFIX,
  SERVER_URL,
  templateOf,
  withDatabase,
} from './test-server.js';

const PORT = 56_300;
const PASSWORD = 'causeway';

/** Starts one PostgreSQL server for all runs, and creates the migrated template database that this run copies. */
export default async function setup(): Promise<void> {
  // Another Jest project of this run has already done the setup.
  if (process.env[RUN_PREFIX] !== undefined) return;
  const external = process.env.TEST_DATABASE_URL;
  const [serverUrl, password] = external === undefined ? await embedded() : await given(external);
  await dropDatabases(serverUrl, (pid) => !isAlive(pid));
  const prefix = prefixOf(process.pid);
  const template = templateOf(prefix);
  await onServer(serverUrl, (client) => client.query(`create database ${template}`));
  await migrate(withDatabase(serverUrl, template));
  Object.assign(process.env, { [SERVER_URL]: serverUrl, [ROLE_PASSWORD]: password, [RUN_PREFIX]: prefix });
}

async function embedded(): Promise<[string, string]> {
  const dir = dataFolder();
  const server = await startEmbeddedPostgres({ dir, port: PORT, nextFreePort: true, durable: false });
  process.env[DATA_FOLDER] = dir;
  const url = server.ownerUrl('postgres');
  return [url, new URL(url).password];
}

/** Uses an existing server; TEST_DATABASE_URL is a connection as its superuser. */
async function given(ownerUrl: string): Promise<[string, string]> {
  await createRoles(ownerUrl, PASSWORD);
  return [ownerUrl, PASSWORD];
}
