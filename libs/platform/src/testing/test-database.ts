import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { processRoles, roleName, type ProcessRole } from '#platform/database';
import {
  asRole,
  JOINT_ROLE,
  onServer,
  ROLE_PASSWORD,
  RUN_PREFIX,
  SERVER_URL,
  templateOf,
  withDatabase,
} from '#platform/test-server';

/**
 * Returns the URL of a test database for the role of a process, when `url` names the role of a process or the joint
 * role. Returns any other URL, such as the owner's, as it is.
 */
export function urlAs(role: ProcessRole, url: string): string {
  const changed = new URL(url);
  const known = [JOINT_ROLE, ...processRoles.map((process) => roleName('causeway', process))];
  if (known.includes(changed.username)) changed.username = roleName('causeway', role);
  return changed.toString();
}

/** A migrated, empty database for one test file. */
export interface TestDatabase {
  /** Connection as the role that owns the tables. */
  ownerUrl: string;
  /** Connection as a role with the rights of all processes together. */
  appUrl: string;
  /** Connection as the role of a process. */
  roleUrl: (role: ProcessRole) => string;
  drop: () => Promise<void>;
}

/** Copies the migrated template database of this run. The server copies files, which takes about 50 ms. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const [server, password, prefix] = [process.env[SERVER_URL], process.env[ROLE_PASSWORD], process.env[RUN_PREFIX]];
  if (server === undefined || password === undefined || prefix === undefined) {
    throw new Error('test databases exist only under the Jest project "int"');
  }
  const name = `${prefix}${process.env.JEST_WORKER_ID ?? '0'}_${randomBytes(6).toString('hex')}`;
  await onServer(server, (client) =>
    client.query(`create database ${name} template ${templateOf(prefix)} strategy file_copy`),
  );
  const appUrl = asRole(withDatabase(server, name), JOINT_ROLE, password);
  return {
    ownerUrl: withDatabase(server, name),
    appUrl,
    roleUrl: (role) => urlAs(role, appUrl),
    drop: async () => {
      await onServer(server, (client) => client.query(`drop database if exists ${name} with (force)`));
    },
  };
}

/**
 * Runs statements as the owner of the tables, without the triggers and the foreign keys, for a state that no role of a
 * process can produce.
 */
export async function withoutRules(ownerUrl: string, statements: string): Promise<void> {
  const owner = new pg.Client(ownerUrl);
  await owner.connect();
  try {
    await owner.query(`set session_replication_role = replica; ${statements}`);
  } finally {
    await owner.end();
  }
}
