/** The roles of the processes. Each logs in with a password of its own, and owns nothing. */
export const processRoles = ['api', 'worker', 'cli'] as const;
export type ProcessRole = (typeof processRoles)[number];

/** The first letters of what a role may do with the rows of a table: select, insert, update, delete. */
type Letters = string;

/**
 * The rights of each role on each table and view, as the code of its process needs them. The worker asks exchanges and
 * never sends: it cannot insert a quote, a withdrawal, an attempt or an order. Only the command line settles what an
 * operator decides.
 */
export const TABLE_RIGHTS: Readonly<Record<string, Readonly<Record<ProcessRole, Letters>>>> = {
  organizations: { api: 'si', worker: 's', cli: 'si' },
  projects: { api: 'siu', worker: 's', cli: 'siu' },
  stopped_projects: { api: 's', worker: 's', cli: 's' },
  api_keys: { api: 'siu', worker: 's', cli: 'siu' },
  idempotent_responses: { api: 'siud', worker: 'sd', cli: 's' },
  audit_entries: { api: 'si', worker: 's', cli: 'si' },
  audit_chains: { api: 'siu', worker: 's', cli: 'siu' },
  connect_projects: { api: 'siu', worker: 's', cli: 'siu' },
  connect_sessions: { api: 'siu', worker: 'sud', cli: 'sd' },
  events: { api: 'si', worker: 'siud', cli: 'sid' },
  wallet_event_counters: { api: 's', worker: 'siud', cli: 's' },
  topic_messages: { api: 'sid', worker: 'sid', cli: 'sid' },
  webhook_endpoints: { api: 'siud', worker: 'sud', cli: 'siud' },
  webhook_secrets: { api: 'siud', worker: 's', cli: 'siud' },
  webhook_deliveries: { api: 'siu', worker: 'siu', cli: 'siu' },
  webhook_attempts: { api: 's', worker: 'siu', cli: 's' },
  received_webhooks: { api: 'si', worker: 'sud', cli: 's' },
  wallets: { api: 'siu', worker: 'siu', cli: 'su' },
  stopped_wallets: { api: 's', worker: 's', cli: 's' },
  wallet_balances: { api: 'siud', worker: 'siud', cli: 'sd' },
  wallet_networks: { api: 'siud', worker: 'sd', cli: 'sd' },
  wallet_other_accounts: { api: 'siud', worker: 'siud', cli: 'sd' },
  wallet_credentials: { api: 'siud', worker: 'siud', cli: 'sud' },
  current_credentials: { api: 's', worker: 's', cli: 's' },
  credential_holds: { api: 'sid', worker: 'sid', cli: 'sd' },
  replaced_credentials: { api: 'sid', worker: 'sid', cli: 'sud' },
  wallet_grants: { api: 'siud', worker: 'siud', cli: 'sud' },
  credential_refusals: { api: 'siud', worker: 'siud', cli: 'siud' },
  wallet_identities: { api: 'siud', worker: 'siud', cli: 'sud' },
  transactions: { api: 'siu', worker: 'siu', cli: 'su' },
  transaction_syncs: { api: 's', worker: 'siud', cli: 's' },
  quotes: { api: 'si', worker: 's', cli: 's' },
  closed_quotes: { api: 'si', worker: 'si', cli: 's' },
  execution_locks: { api: 'siud', worker: 'siud', cli: 's' },
  withdrawal_challenges: { api: 'siu', worker: 'su', cli: 'su' },
  withdrawals: { api: 'siu', worker: 'su', cli: 'su' },
  withdrawal_attempts: { api: 'siu', worker: 'su', cli: 'su' },
  withdrawal_transitions: { api: 's', worker: 's', cli: 's' },
  database_epochs: { api: 's', worker: 'si', cli: 's' },
  epoch_checks: { api: 's', worker: 'siu', cli: 's' },
  unmatched_records: { api: 's', worker: 'si', cli: 'su' },
  ticker_snapshots: { api: 's', worker: 'siu', cli: 's' },
  price_points: { api: 's', worker: 'siud', cli: 's' },
  trading_catalogues: { api: 'siu', worker: 'siu', cli: 's' },
  orders: { api: 'siu', worker: 'sud', cli: 'su' },
  deposit_addresses: { api: 'siud', worker: 'sd', cli: 'sd' },
  deposit_locks: { api: 'siud', worker: 'sd', cli: 'sd' },
  exchange_nonces: { api: 'siud', worker: 'siud', cli: 'siud' },
  exchange_pauses: { api: 'siud', worker: 'siud', cli: 'siud' },
  exchange_callers: { api: 'siud', worker: 'siud', cli: 'siud' },
  every_wallet_credentials: { api: 's', worker: 's', cli: 's' },
  every_replaced_credentials: { api: 's', worker: 's', cli: 's' },
  every_wallet_grants: { api: 's', worker: 's', cli: 's' },
  every_wallet_identities: { api: 's', worker: 's', cli: 's' },
  every_webhook_secrets: { api: 's', worker: 's', cli: 's' },
  migrations: { api: 's', worker: 's', cli: 's' },
};

/**
 * PostgreSQL lets a role lock a row only if the role may update one of its columns. The worker locks rows of these
 * tables; triggers refuse a change of the given column, or the column decides nothing.
 */
const LOCKING: readonly [table: string, column: string][] = [
  ['api_keys', 'last_used_at'],
  ['connect_projects', 'updated_at'],
  ['idempotent_responses', 'locked_until'],
  ['replaced_credentials', 'replaced_at'],
  ['topic_messages', 'created_at'],
];

const PRIVILEGES: Readonly<Record<string, string>> = { s: 'select', i: 'insert', u: 'update', d: 'delete' };

/** Returns the name of a role of an installation. */
export function roleName(prefix: string, role: ProcessRole): string {
  return `${prefix}_${role}`;
}

/** Returns the statements that give the roles exactly these rights. A table without an entry is closed to all roles. */
export function grantsFor(prefix: string): string[] {
  return [
    // A process creates no temporary tables. Only the owner of the database can revoke this right.
    `do $do$ begin execute format('revoke temporary on database %I from public', current_database()); end $do$`,
    ...processRoles.flatMap((role) => [
      `revoke all on all tables in schema public, bullmq from ${roleName(prefix, role)}`,
      `grant usage on schema public to ${roleName(prefix, role)}`,
    ]),
    ...Object.entries(TABLE_RIGHTS).flatMap(([table, rights]) =>
      processRoles.map((role) => {
        const privileges = [...rights[role]].map((letter) => PRIVILEGES[letter]).join(', ');
        return `grant ${privileges} on ${table} to ${roleName(prefix, role)}`;
      }),
    ),
    ...LOCKING.map(([table, column]) => `grant update (${column}) on ${table} to ${roleName(prefix, 'worker')}`),
    // Only the worker has queues.
    `grant usage on schema bullmq to ${roleName(prefix, 'worker')}`,
    `grant select, insert, update, delete on all tables in schema bullmq to ${roleName(prefix, 'worker')}`,
    `grant usage on all sequences in schema bullmq to ${roleName(prefix, 'worker')}`,
    `grant execute on function delete_unexecuted_quotes to ${roleName(prefix, 'worker')}`,
    `grant execute on function find_api_key to ${roleName(prefix, 'api')}`,
  ];
}
