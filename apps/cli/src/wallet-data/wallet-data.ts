/** What happens to the rows of a table when the data of a wallet is erased. */
type Erasure =
  /** `cli wallets erase` deletes them. */
  | { kind: 'erased' }
  /** They are deleted later by their own retention. */
  | { kind: 'expires'; until: string }
  /** They stay. */
  | { kind: 'kept'; why: string };

/** How the rows of one table concern the owner of a wallet. */
export interface WalletTable {
  /**
   * The condition of the rows of a wallet. $1: the project, $2: the caller's id of the wallet, $3: our ids of the
   * wallets that were connected under it. null = no row can be attributed to a wallet.
   */
  rows: string | null;
  /** Whether `cli wallets export` writes the rows. Credentials are never exported. */
  isExported: boolean;
  erasure: Erasure;
}

const OF_WALLET = 'wallet_id = any($3)';
const OF_EXTERNAL_ID = 'project_id = $1 and external_wallet_id = $2';
const ERASED: Erasure = { kind: 'erased' };
const WITH_QUOTE: Erasure = {
  kind: 'expires',
  until:
    'QUOTES_KEEP_DAYS after the creation of the quote. An executed quote stays, and the last one with a tag for an address',
};
const PROOF: Erasure = {
  kind: 'kept',
  why: 'proves that a payment was made once, and is a record of the business for its accounts; never deleted',
};
const HISTORY: Erasure = { kind: 'kept', why: 'is a record of the business for its accounts, and refers to payments' };
const UNATTRIBUTED = { rows: null, isExported: false } as const;

const exported = (rows: string, erasure: Erasure): WalletTable => ({ rows, isExported: true, erasure });
const internal = (rows: string, erasure: Erasure): WalletTable => ({ rows, isExported: false, erasure });
const noWalletData = (why: string): WalletTable => ({ ...UNATTRIBUTED, erasure: { kind: 'kept', why } });

const CREDENTIALS: Erasure = {
  kind: 'expires',
  until: 'at once; those that an open withdrawal or order needs at its end, after a day at the latest',
};

/** Every table of the schema. A test fails for a table without an entry. */
export const walletTables: Readonly<Record<string, WalletTable>> = {
  wallets: exported('id = any($3)', { kind: 'kept', why: 'its history refers to it; it is marked as deleted' }),
  wallet_balances: exported(OF_WALLET, ERASED),
  wallet_networks: exported(OF_WALLET, ERASED),
  wallet_other_accounts: exported(OF_WALLET, ERASED),
  wallet_identities: internal(OF_WALLET, ERASED),
  deposit_addresses: exported(OF_WALLET, ERASED),
  deposit_locks: internal(OF_WALLET, ERASED),
  credential_refusals: exported(OF_WALLET, ERASED),
  connect_sessions: exported(OF_EXTERNAL_ID, ERASED),
  topic_messages: exported(`project_id = $1 and body->>'walletId' = $2`, ERASED),
  events: exported(`project_id = $1 and data->>'walletId' = $2 and type <> 'wallet.deleted'`, ERASED),
  wallet_event_counters: exported(OF_EXTERNAL_ID, { kind: 'expires', until: 'EVENTS_KEEP_DAYS' }),
  wallet_credentials: internal(OF_WALLET, CREDENTIALS),
  replaced_credentials: internal(OF_WALLET, CREDENTIALS),
  credential_holds: internal(OF_WALLET, CREDENTIALS),
  wallet_grants: internal(OF_WALLET, CREDENTIALS),
  transactions: exported(OF_EXTERNAL_ID, HISTORY),
  transaction_syncs: exported(OF_WALLET, { kind: 'kept', why: 'states only how far the history was read' }),
  quotes: exported(OF_WALLET, WITH_QUOTE),
  withdrawal_challenges: exported(OF_WALLET, {
    kind: 'expires',
    until: 'QUOTES_KEEP_DAYS after the creation of the quote',
  }),
  withdrawals: exported(OF_WALLET, PROOF),
  withdrawal_attempts: exported(OF_WALLET, PROOF),
  unmatched_records: exported(OF_EXTERNAL_ID, PROOF),
  epoch_checks: internal(OF_WALLET, { kind: 'kept', why: 'states only whether the wallet was compared' }),
  orders: exported(OF_EXTERNAL_ID, { kind: 'expires', until: 'ORDERS_KEEP_DAYS after the end of the order' }),
  audit_entries: exported(
    `project_id = $1 and (subject = $2 or subject = any($3::text[])
       or subject in (select id::text from withdrawals where wallet_id = any($3)))`,
    { kind: 'kept', why: 'the log of decisions is a chain, in which no entry can be changed or left out' },
  ),
  idempotent_responses: {
    ...UNATTRIBUTED,
    erasure: { kind: 'expires', until: 'IDEMPOTENCY_TTL_SECONDS after the request' },
  },
  received_webhooks: { ...UNATTRIBUTED, erasure: { kind: 'expires', until: 'some days after it was received' } },
  webhook_deliveries: { ...UNATTRIBUTED, erasure: { kind: 'expires', until: 'the deletion of its event' } },
  webhook_attempts: { ...UNATTRIBUTED, erasure: { kind: 'expires', until: 'the deletion of its event' } },
  closed_quotes: { ...UNATTRIBUTED, erasure: WITH_QUOTE },
  execution_locks: { ...UNATTRIBUTED, erasure: { kind: 'expires', until: 'the end of the execution' } },
  organizations: noWalletData('belongs to the application'),
  projects: noWalletData('belongs to the application'),
  api_keys: noWalletData('belongs to the application'),
  connect_projects: noWalletData('belongs to the application'),
  webhook_endpoints: noWalletData('belongs to the application'),
  webhook_secrets: noWalletData('belongs to the application'),
  audit_chains: noWalletData('has only hashes'),
  exchange_callers: noWalletData('is about processes'),
  exchange_nonces: noWalletData('has only numbers and hashes of keys'),
  exchange_pauses: noWalletData('is about an exchange'),
  database_epochs: noWalletData('is about the database'),
  withdrawal_transitions: noWalletData('is a rule'),
  ticker_snapshots: noWalletData('is public'),
  price_points: noWalletData('is public'),
  trading_catalogues: noWalletData('is public'),
};
