import { DataSource, type EntityMetadata } from 'typeorm';
import { TestApp } from '../support/test-app.js';
import { readMigratedTables } from './migrated-tables.js';

interface ColumnFacts {
  type: string;
  nullable: boolean;
  primary: boolean;
}

type Columns = Record<string, ColumnFacts>;

/** Tables without an entity: the code accesses them with SQL only. */
const WITHOUT_ENTITY = [
  'audit_chains',
  'audit_entries',
  'closed_quotes',
  'connect_projects',
  'connect_sessions',
  'credential_holds',
  'credential_refusals',
  'database_epochs',
  'deposit_addresses',
  'deposit_locks',
  'epoch_checks',
  'events',
  'exchange_callers',
  'exchange_nonces',
  'exchange_pauses',
  'idempotent_responses',
  'migrations',
  'price_points',
  'execution_locks',
  'replaced_credentials',
  'ticker_snapshots',
  'topic_messages',
  'trading_catalogues',
  'transaction_syncs',
  'wallet_balances',
  'wallet_credentials',
  'wallet_grants',
  'wallet_identities',
  'wallet_networks',
  'wallet_other_accounts',
  'withdrawal_challenges',
  'unmatched_records',
  'wallet_event_counters',
  'webhook_attempts',
  'webhook_deliveries',
  'webhook_endpoints',
  'webhook_secrets',
  'received_webhooks',
  'withdrawal_transitions',
];

describe('the migrated schema', () => {
  let app: TestApp;
  let entities: EntityMetadata[];
  let tables: Map<string, Columns>;

  beforeAll(async () => {
    app = await TestApp.create();
    entities = app.api.get(DataSource).entityMetadatas;
    tables = await readTables(app);
  });
  afterAll(() => app.close());

  it('has an entity for every table except those that the code accesses only with SQL', () => {
    expect([...entities.map(({ tableName }) => tableName), ...WITHOUT_ENTITY].sort()).toEqual(
      [...tables.keys()].sort(),
    );
  });

  it('has exactly the tables that are found in the SQL of the migrations, and the table of TypeORM', () => {
    expect([...readMigratedTables(), 'migrations'].sort()).toEqual([...tables.keys()].sort());
  });

  it('matches the columns of the entities: names, types, nullability, keys', () => {
    const declared = Object.fromEntries(entities.map((entity) => [entity.tableName, columnsOf(entity)]));
    const migrated = Object.fromEntries(entities.map(({ tableName }) => [tableName, tables.get(tableName)]));
    expect(declared).toEqual(migrated);
  });

  it('is not owned by the role of the API', async () => {
    const owned = await app.db.query(`select relname from pg_class where relowner = current_user::regrole`);
    expect(owned).toEqual([]);
  });

  it.each([
    'delete from withdrawals',
    'delete from withdrawal_attempts',
    'delete from transactions',
    'delete from quotes',
    'delete from wallets',
    'delete from organizations',
    'delete from projects',
    'delete from api_keys',
    'delete from audit_entries',
    'delete from audit_chains',
    'delete from withdrawal_challenges',
    'delete from unmatched_records',
    'delete from database_epochs',
    'update database_epochs set is_original = true',
    "insert into withdrawal_transitions values ('failed', 'created')",
    'delete from withdrawal_transitions',
    'delete from migrations',
    'truncate transactions',
    'drop table withdrawals',
    'alter table withdrawals disable trigger all',
    'create table own_table (id int)',
    "set session_replication_role = 'replica'",
  ])('does not let the role of the API run: %s', async (statement) => {
    await expect(app.db.query(statement)).rejects.toThrow(/permission denied|must be owner/);
  });
});

function columnsOf(entity: EntityMetadata): Columns {
  return Object.fromEntries(
    entity.columns.map((column) => {
      const type = entity.dataSource.driver.normalizeType(column);
      const facts = {
        type: column.isArray ? `${type}[]` : type,
        nullable: column.isNullable,
        primary: column.isPrimary,
      };
      return [column.databaseName, facts];
    }),
  );
}

async function readTables(app: TestApp): Promise<Map<string, Columns>> {
  const rows = await app.db.query<ColumnFacts & { table: string; name: string }>(`
    select c.relname as table, a.attname as name, format_type(a.atttypid, a.atttypmod) as type,
           not a.attnotnull as nullable, coalesce(a.attnum = any (k.conkey), false) as primary
    from pg_class c
    join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    left join pg_constraint k on k.conrelid = c.oid and k.contype = 'p'
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'`);
  const tables = new Map<string, Columns>();
  for (const { table, name, ...facts } of rows) tables.set(table, { ...tables.get(table), [name]: facts });
  return tables;
}
