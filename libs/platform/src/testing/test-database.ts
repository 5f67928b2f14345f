import { randomBytes } from 'node:crypto';
import { onServer, APP_ROLE_URL, RUN_PREFIX, SERVER_URL, templateOf, withDatabase } from '#platform/test-server';

/** A migrated, empty database for one test file. */
export interface TestDatabase {
  /** Connection as the role that owns the tables. */
  ownerUrl: string;
  /** Connection as the application role. */
  appUrl: string;
  drop: () => Promise<void>;
}

/** Copies the migrated template database of this run. The server copies files, which takes about 50 ms. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const [server, app, prefix] = [process.env[SERVER_URL], process.env[APP_ROLE_URL], process.env[RUN_PREFIX]];
  if (server === undefined || app === undefined || prefix === undefined) {
    throw new Error('test databases exist only under the Jest project "int"');
  }
  const name = `${prefix}${process.env.JEST_WORKER_ID ?? '0'}_${randomBytes(6).toString('hex')}`;
  await onServer(server, (client) =>
    client.query(`create database ${name} template ${templateOf(prefix)} strategy file_copy`),
  );
  return {
    ownerUrl: withDatabase(server, name),
    appUrl: withDatabase(app, name),
    drop: async () => {
      await onServer(server, (client) => client.query(`drop database if exists ${name} with (force)`));
    },
  };
}
