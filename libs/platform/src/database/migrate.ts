import pg from 'pg';
import { DataSource } from 'typeorm';
import { InvalidConfig } from '#platform/config';
import { migrations } from './migrations/index.js';
import { policiesFor } from './policies.js';
import { grantsFor, processRoles, roleName } from './rights.js';

/**
 * Migrates the database as the owner of the tables, and creates the schema of the queues. Grants each role of
 * a process only the rights that it needs. Safe to repeat and to run from several machines at once (advisory lock).
 * @returns the names of the migrations that were applied
 * @param ownerUrl connection as the role that owns the tables.
 * @param prefix the beginning of the names of the roles, which exist and own nothing.
 * @throws InvalidConfig when one of the roles owns the tables.
 */
export async function migrate(ownerUrl: string, prefix = 'causeway'): Promise<string[]> {
  if (!/^[a-z_][a-z0-9_]{0,50}$/.test(prefix))
    throw new Error(`DATABASE_ROLE_PREFIX: '${prefix}' is not a valid beginning of a name`);
  const client = new pg.Client(ownerUrl);
  await client.connect();
  try {
    await client.query(`select pg_advisory_lock(hashtext('causeway.migrate'))`);
    const owners = await findOwners(client);
    // The rights that are revoked from the roles are those with which PostgreSQL checks foreign keys.
    const owning = processRoles.map((role) => roleName(prefix, role)).find((role) => owners.includes(role));
    if (owning !== undefined)
      throw new InvalidConfig([
        `DATABASE_ROLE_PREFIX: the role ${owning} owns the tables; name other roles, which own nothing`,
      ]);
    // Earlier releases accepted the owner as the role of the processes, and revoked rights from it.
    for (const owner of owners)
      await client.query(`grant all on all tables in schema public to ${client.escapeIdentifier(owner)}`);
    const dataSource = new DataSource({
      type: 'postgres',
      url: ownerUrl,
      migrations,
      migrationsTransactionMode: 'each',
    });
    await dataSource.initialize();
    let applied: string[];
    try {
      applied = (await dataSource.runMigrations()).map(({ name }) => name);
    } finally {
      await dataSource.destroy();
    }
    // BullMQ is imported here and not above, because the API loads this file, too, and has no queues.
    const { runMigrations } = await import('bullmq');
    await runMigrations(client);
    for (const statement of [...grantsFor(prefix), ...policiesFor(prefix)]) await client.query(statement);
    return applied;
  } finally {
    await client.end();
  }
}

/** @returns the roles that own the tables. In an empty database this is the role that will own them. */
async function findOwners(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ role: string }>(
    `with owners as (select tableowner as role from pg_tables where schemaname = 'public' and tablename = 'migrations')
     select role from owners union all select current_user where not exists (select from owners)`,
  );
  return rows.map(({ role }) => role);
}
