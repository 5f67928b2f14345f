/** Wallets, their balances, and the networks of their withdrawals. */
export const wallets = `
create table wallets (
  id uuid primary key,
  project_id uuid not null references projects,
  external_id text not null check (external_id ~ '^[A-Za-z0-9._:-]{1,128}$'),
  exchange text not null,
  invalid_api boolean not null default false,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  last_sync_at timestamptz,
  -- Time of the next background refresh of the balances.
  next_sync_at timestamptz not null default now(),
  -- Failed refreshes in a row.
  sync_failures integer not null default 0 check (sync_failures >= 0),
  -- Whether the history of the wallet is read (the transaction lib has rows for it).
  history_tracked boolean not null default false,
  -- Progress of the first reading of the history; null = it has not begun.
  sync_progress jsonb,
  -- Number of the last write of the credentials. Sealed credentials are bound to the number of their write.
  credentials_sequence integer not null default 0 check (credentials_sequence >= 0),
  deleted_at timestamptz
);
-- Also finds deleted wallets by the caller's id.
create index wallets_by_reference on wallets (project_id, external_id);
create unique index wallets_connected on wallets (project_id, external_id) where deleted_at is null;
create index wallets_listed on wallets (project_id, created_at desc, id desc) where deleted_at is null;
create index wallets_due on wallets (next_sync_at) where deleted_at is null;
create index wallets_untracked on wallets (id) where not history_tracked and deleted_at is null;

-- The wallets of stopped projects. Sweeps leave them out, except those that settle open withdrawals and orders.
create view stopped_wallets with (security_invoker) as
  select w.id as wallet_id from wallets w join stopped_projects s on s.id = w.project_id;

create table wallet_balances (
  wallet_id uuid not null references wallets,
  asset text not null,
  free numeric not null,
  used numeric not null,
  total numeric not null,
  -- null = the same amount as free.
  withdrawable numeric check (withdrawable between 0 and free),
  -- Amounts in other accounts: [{account, kind, amount}] with the exchange's names of the accounts and decimal strings.
  elsewhere jsonb not null default '[]' check (jsonb_typeof(elsewhere) = 'array'),
  -- true = the last sync could not read an amount of the asset. The amounts are then those of the last sync that could.
  is_partial boolean not null default false,
  primary key (wallet_id, asset)
);

-- The accounts at each wallet's exchange on which no withdrawal rests, as last read.
create table wallet_other_accounts (
  wallet_id uuid primary key references wallets,
  -- [{name, balances, unread}], with decimal strings.
  accounts json not null,
  -- The accounts that could not be read: [{account, reason}].
  unread jsonb not null check (jsonb_typeof(unread) = 'array'),
  -- Digest of the balances on which withdrawals rest, as of this reading.
  own_digest bytea not null,
  -- Id of the sealed credentials of the request, as in deposit_addresses.
  credential_version text not null,
  read_at timestamptz not null
);

-- The networks on which each wallet can withdraw, from the last answer of its exchange.
create table wallet_networks (
  wallet_id uuid primary key references wallets,
  networks json not null,
  -- Digest of the text. An answer with the same digest, as most have, is not written again.
  digest bytea not null,
  -- Id of the sealed credentials of the request, as in deposit_addresses.
  credential_version text not null,
  fetched_at timestamptz not null
);
`;
