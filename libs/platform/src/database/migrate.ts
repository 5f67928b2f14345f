import pg from 'pg';
import { DataSource } from 'typeorm';
import { InvalidConfig } from '#platform/config';
import { migrations } from './migrations/index.js';

/** Tables from which the application may delete rows. Rows of history and money are never deleted. */
const DELETABLE = [
  'wallet_credentials',
  'credential_holds',
  'replaced_credentials',
  'wallet_balances',
  'wallet_networks',
  'deposit_addresses',
  'deposit_locks',
  'idempotent_responses',
  'execution_locks',
  'exchange_nonces',
  'transaction_syncs',
  'price_points',
  'events',
  'topic_messages',
  'wallet_grants',
  'wallet_identities',
  'connect_sessions',
  'credential_refusals',
  'wallet_event_counters',
  'webhook_endpoints',
  'webhook_secrets',
  'webhook_deliveries',
  'webhook_attempts',
  'received_webhooks',
];

/** Tables and views that the application may only read. */
const READ_ONLY = ['withdrawal_transitions', 'migrations', 'current_credentials'];

/** Tables whose rows the application may insert and never change. */
const APPEND_ONLY = ['audit_entries', 'closed_quotes', 'database_epochs'];

/**
 * Migrates the database as the owner of the tables, and creates the schema of the queues. Grants the application role
 * only the rights that it needs. Safe to repeat and to run from several machines at once (advisory lock).
 * @returns the names of the migrations that were applied
 * @param ownerUrl connection as the role that owns the tables.
 * @param appRole an existing login role that owns nothing.
 * @throws InvalidConfig when `appRole` owns the tables.
 */
export async function migrate(ownerUrl: string, appRole = 'causeway_app'): Promise<string[]> {
  if (!/^[a-z_][a-z0-9_]{0,62}$/.test(appRole))
    throw new Error(`DATABASE_APP_ROLE: '${appRole}' is not a valid name of a role`);
  const client = new pg.Client(ownerUrl);
  await client.connect();
  try {
    await client.query(`select pg_advisory_lock(hashtext('causeway.migrate'))`);
    const owners = await findOwners(client);
    // The rights that are revoked from the application role are those with which PostgreSQL checks foreign keys.
    if (owners.includes(appRole))
      throw new InvalidConfig([
        `DATABASE_APP_ROLE: the role ${appRole} owns the tables; name another role, which owns nothing`,
      ]);
    // Earlier releases accepted the owner as the application role, and revoked rights from it.
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
    for (const statement of grants(appRole)) await client.query(statement);
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

function grants(role: string): string[] {
  return [
    `grant usage on schema public, bullmq to ${role}`,
    `grant select, insert, update on all tables in schema public to ${role}`,
    `revoke insert, update on ${READ_ONLY.join(', ')} from ${role}`,
    `revoke update on ${APPEND_ONLY.join(', ')} from ${role}`,
    `grant delete on ${DELETABLE.join(', ')} to ${role}`,
    `grant select, insert, update, delete on all tables in schema bullmq to ${role}`,
    `grant usage on all sequences in schema bullmq to ${role}`,
  ];
}
