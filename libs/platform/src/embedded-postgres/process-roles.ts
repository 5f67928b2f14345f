import pg from 'pg';
import { processRoles, roleName, type ProcessRole } from '#platform/database';
import { passwordOf } from './password.js';

/** The roles of the processes cannot be used. The message states what is missing. */
export class RolesMissing extends Error {}

/**
 * Creates the roles of the processes on another server, unless they exist, for `npm start` with a database of the user.
 * @param ownerUrl connection as the owner of the tables; its role may create roles.
 * @param dir the password of the roles is stored in a file beside this folder.
 * @param prefix the beginning of the names of the roles.
 * @returns the connection of each process.
 * @throws RolesMissing
 */
export async function createProcessRoles(
  ownerUrl: string,
  dir: string,
  prefix: string,
): Promise<Record<ProcessRole, string>> {
  const password = passwordOf(dir);
  const owner = new pg.Client(ownerUrl);
  await owner.connect();
  try {
    for (const role of processRoles) await createRole(owner, roleName(prefix, role), password);
  } finally {
    await owner.end();
  }
  const [api, worker, cli] = await Promise.all(
    processRoles.map((role) => requireLogin(ownerUrl, roleName(prefix, role), password)),
  );
  return { api, worker, cli };
}

async function createRole(owner: pg.Client, role: string, password: string): Promise<void> {
  const { rows } = await owner.query<{ mayCreate: boolean; exists: boolean }>(
    `select rolsuper or rolcreaterole as "mayCreate", exists (select from pg_roles where rolname = $1) as exists
       from pg_roles where rolname = current_user`,
    [role],
  );
  if (rows[0]?.exists === true) return;
  if (rows[0]?.mayCreate !== true)
    throw new RolesMissing(
      `DATABASE_OWNER_URL: its role may not create the role ${role}; give it CREATEROLE, or create the roles (docker/postgres/init-roles.sh) and set DATABASE_URL, too`,
    );
  await owner.query(`create role ${owner.escapeIdentifier(role)} login password ${owner.escapeLiteral(password)}`);
}

/** Returns the connection of a role. @throws RolesMissing when the role has another password. */
async function requireLogin(ownerUrl: string, role: string, password: string): Promise<string> {
  const url = new URL(ownerUrl);
  Object.assign(url, { username: role, password });
  const client = new pg.Client(url.toString());
  try {
    await client.connect();
    return url.toString();
  } catch (error) {
    throw new RolesMissing(
      `the role ${role} exists and was not created by this installation (${String(error)}); name other roles with DATABASE_ROLE_PREFIX, or set DATABASE_URL, too`,
    );
  } finally {
    await client.end().catch(() => undefined);
  }
}
