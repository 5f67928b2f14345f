/**
 * The tables whose rows belong to the project of another row, with the column that refers to that row. A trigger fills
 * their column `project_id`, so that no statement has to state it, and none can state another project.
 */
const PARENTS: readonly { parent: string; column: string; tables: readonly string[] }[] = [
  {
    parent: 'wallets',
    column: 'wallet_id',
    tables: [
      'wallet_balances',
      'wallet_networks',
      'wallet_other_accounts',
      'wallet_credentials',
      'credential_holds',
      'replaced_credentials',
      'wallet_grants',
      'credential_refusals',
      'wallet_identities',
      'transaction_syncs',
      'epoch_checks',
      'deposit_addresses',
      'deposit_locks',
    ],
  },
  { parent: 'withdrawals', column: 'withdrawal_id', tables: ['withdrawal_attempts'] },
  { parent: 'quotes', column: 'quote_id', tables: ['closed_quotes'] },
  { parent: 'webhook_endpoints', column: 'endpoint_id', tables: ['webhook_secrets', 'webhook_deliveries'] },
  { parent: 'webhook_deliveries', column: 'delivery_id', tables: ['webhook_attempts'] },
];

/** The tables whose rows state their project themselves. */
const OF_PROJECTS: readonly string[] = [
  'api_keys',
  'idempotent_responses',
  'audit_entries',
  'connect_projects',
  'connect_sessions',
  'events',
  'wallet_event_counters',
  'topic_messages',
  'webhook_endpoints',
  'wallets',
  'transactions',
  'quotes',
  'withdrawal_challenges',
  'withdrawals',
  'unmatched_records',
  'orders',
];

/** The tables with sealed records that processes compare with the keys of their vault. */
const SEALED = ['wallet_credentials', 'replaced_credentials', 'wallet_grants', 'wallet_identities', 'webhook_secrets'];

/** Every table whose rows belong to one project. The API's role sees only the rows of its present project. */
export const PROJECT_TABLES: readonly string[] = [...OF_PROJECTS, ...PARENTS.flatMap(({ tables }) => tables)];

function fillProject({ parent, column, tables }: (typeof PARENTS)[number]): string {
  // The function runs with the rights of the owner, so that it finds the row of another project, too. The policies then
  // refuse the new row.
  return `
create function project_of_${parent}() returns trigger language plpgsql
  security definer set search_path = public, pg_temp as $$
begin
  select project_id into new.project_id from ${parent} where id = new.${column};
  return new;
end $$;
revoke execute on function project_of_${parent} from public;
${tables
  .map(
    (table) => `
alter table ${table} add column project_id uuid not null;
create trigger fill_project before insert on ${table} for each row execute function project_of_${parent}();
create trigger keep_project before update of project_id on ${table} for each row
  when (new.project_id <> old.project_id) execute function refuse_change();`,
  )
  .join('')}`;
}

/** The project of each row, and row-level security. The policies are in `libs/platform/src/database/policies.ts`. */
export const projectsOfRows = `
${PARENTS.map(fillProject).join('')}

-- The project whose rows the present statement may read and write. PostgreSQL raises an error when it is not set.
create function current_project() returns uuid language sql stable as $$
  select current_setting('causeway.project_id')::uuid
$$;

alter table projects enable row level security;
${PROJECT_TABLES.map((table) => `alter table ${table} enable row level security;`).join('\n')}

-- Every process compares its vault keys with sealed records of all projects when it starts. These views bypass the policies,
-- because PostgreSQL cannot search the indexes on key ids before it has checked each row against a policy.
${SEALED.map((table) => `create view every_${table} as select * from ${table};`).join('\n')}

-- Finds an API key by its hash. The project of a request is not known before its key.
create function find_api_key(wanted bytea) returns setof api_keys language sql stable
  security definer set search_path = public, pg_temp as $$
  select * from api_keys where hash = wanted
$$;
revoke execute on function find_api_key from public;
`;
