import type { MigrationInterface, QueryRunner } from 'typeorm';

const ACCESS = `
create table organizations (
  id uuid primary key,
  name text not null check (length(name) between 1 and 200),
  created_at timestamptz not null default now()
);

create table projects (
  id uuid primary key,
  organization_id uuid not null references organizations,
  name text not null check (length(name) between 1 and 200),
  mode text not null check (mode in ('test', 'live')),
  created_at timestamptz not null default now(),
  deleted_at timestamptz
);
create index projects_by_organization on projects (organization_id);

create table api_keys (
  id uuid primary key,
  project_id uuid not null references projects,
  name text not null check (length(name) between 1 and 200),
  hint text not null,
  hash bytea not null unique check (octet_length(hash) = 32),
  scopes text[] not null check (cardinality(scopes) > 0),
  ip_allowlist text[] not null default '{}',
  created_at timestamptz not null default now(),
  expires_at timestamptz,
  revoked_at timestamptz,
  last_used_at timestamptz
);
create index api_keys_by_project on api_keys (project_id, created_at desc, id desc);
`;

const WALLETS = `
create table wallets (
  id uuid primary key,
  project_id uuid not null references projects,
  external_id text not null check (external_id ~ '^[A-Za-z0-9._:-]{1,128}$'),
  exchange text not null,
  invalid_api boolean not null default false,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  last_sync_at timestamptz,
  deleted_at timestamptz
);
create unique index wallets_connected on wallets (project_id, external_id) where deleted_at is null;
create index wallets_listed on wallets (project_id, created_at desc, id desc) where deleted_at is null;

-- The credentials of a deleted wallet stay while one of its withdrawals is not settled, at most until erase_after.
create table wallet_credentials (
  wallet_id uuid primary key references wallets,
  sealed jsonb not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  erase_after timestamptz
);
create index wallet_credentials_to_erase on wallet_credentials (erase_after) where erase_after is not null;

-- The present version of each wallet's credentials. Other libs read this view and never the sealed content.
create view current_credentials as select wallet_id, sealed->>'id' as version from wallet_credentials;

-- Unsettled withdrawals and orders (holder) that still need one version of a wallet's credentials, also after its deletion.
create table credential_holds (
  wallet_id uuid not null references wallets,
  holder uuid not null,
  version text not null,
  created_at timestamptz not null default now(),
  primary key (wallet_id, holder)
);

-- Credentials that were replaced while a hold existed. They stay until the last hold ends, at most until erase_after.
create table replaced_credentials (
  wallet_id uuid not null references wallets,
  version text not null,
  sealed jsonb not null,
  replaced_at timestamptz not null,
  erase_after timestamptz not null,
  primary key (wallet_id, version)
);
create index replaced_credentials_to_erase on replaced_credentials (erase_after);

create table wallet_balances (
  wallet_id uuid not null references wallets,
  asset text not null,
  free numeric not null,
  used numeric not null,
  total numeric not null,
  primary key (wallet_id, asset)
);
`;

const TRANSACTIONS = `
create table transactions (
  id uuid primary key,
  project_id uuid not null references projects,
  wallet_id uuid not null references wallets,
  external_wallet_id text not null,
  exchange text not null,
  exchange_transaction_id text,
  type text not null check (type in ('deposit', 'withdrawal', 'transaction')),
  direction text check (direction in ('in', 'out')),
  status text not null check (status in ('pending', 'ok', 'failed', 'canceled')),
  asset text not null,
  amount numeric not null check (amount >= 0),
  fee numeric check (fee >= 0),
  fee_asset text,
  amount_in_fiat numeric,
  fee_in_fiat numeric,
  fiat_currency text check (fiat_currency in ('USD', 'EUR')),
  address_to text,
  address_from text,
  tag text,
  network text,
  hash text,
  occurred_at timestamptz not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (wallet_id, exchange_transaction_id)
);
create index transactions_of_project on transactions (project_id, occurred_at desc, id desc);
create index transactions_of_wallet on transactions (wallet_id, occurred_at desc, id desc);

create function keep_settled_transaction() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    raise exception 'transactions are history and never deleted' using errcode = 'restrict_violation';
  end if;
  if old.status <> 'pending' and new.status <> old.status then
    raise exception 'transaction % is settled as %', old.id, old.status using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger keep_settled_transaction before update or delete on transactions
  for each row execute function keep_settled_transaction();
`;

const QUOTES = `
create table quotes (
  id uuid primary key,
  project_id uuid not null references projects,
  wallet_id uuid not null references wallets,
  -- Version of the credentials that the quote was made with. Other credentials may belong to another account.
  credential_version text not null,
  exchange text not null,
  asset text not null,
  network text not null,
  address text not null check (length(address) between 1 and 256),
  tag text check (length(tag) between 1 and 256),
  include_fee boolean not null,
  amount_no_fee numeric not null check (amount_no_fee > 0),
  fee numeric not null check (fee >= 0),
  amount_with_fee numeric not null check (amount_with_fee = amount_no_fee + fee),
  fee_details jsonb not null,
  requirements jsonb not null,
  min_withdrawal numeric,
  max_withdrawal numeric,
  price_usd numeric,
  created_at timestamptz not null,
  expires_at timestamptz not null check (expires_at > created_at)
);
create index quotes_of_destination on quotes (wallet_id, asset, network, address, created_at desc);

create function keep_quote() returns trigger language plpgsql as $$
begin
  raise exception 'quotes are immutable' using errcode = 'restrict_violation';
end $$;
create trigger keep_quote before update or delete on quotes for each row execute function keep_quote();
`;

const WITHDRAWALS = `
create table withdrawals (
  id uuid primary key,
  quote_id uuid not null unique references quotes,
  project_id uuid not null references projects,
  wallet_id uuid not null references wallets,
  transaction_id uuid not null unique references transactions,
  credential_version text not null,
  exchange text not null,
  asset text not null,
  network text not null,
  address text not null,
  tag text,
  amount_no_fee numeric not null check (amount_no_fee > 0),
  fee numeric not null check (fee >= 0),
  amount_with_fee numeric not null check (amount_with_fee = amount_no_fee + fee),
  client_ref text not null,
  exchange_id text,
  state text not null default 'created' check (state in ('created', 'submitting', 'verification_required', 'submitted',
    'completed', 'failed', 'canceled', 'rejected', 'unknown', 'review')),
  error_code text,
  error_message text,
  error_result jsonb,
  next_check_at timestamptz,
  check_count integer not null default 0,
  -- Time since which the exchange answers without showing the withdrawal; null = it has shown it, or could not be asked.
  unconfirmed_since timestamptz,
  -- Time since which the exchange could not be asked about the withdrawal; null = it has answered.
  unanswered_since timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  state_changed_at timestamptz not null,
  unique (wallet_id, client_ref),
  check ((state in ('rejected', 'verification_required')) = (error_code is not null))
);
-- One record of the exchange belongs to one withdrawal of the project, because two wallets may be the same account.
create unique index withdrawals_one_record on withdrawals (project_id, exchange, exchange_id);
create index withdrawals_due on withdrawals (next_check_at) where next_check_at is not null;
create index withdrawals_of_wallet on withdrawals (wallet_id, created_at desc);

create table withdrawal_attempts (
  id uuid primary key,
  withdrawal_id uuid not null references withdrawals,
  wallet_id uuid not null references wallets,
  credential_version text not null,
  connector text not null,
  connector_version text not null,
  class text not null check (class in ('idempotent', 'by_reference', 'by_match')),
  client_ref text,
  debit_key text not null,
  receipt_key text not null,
  balance_before numeric,
  known_ids text[] not null,
  -- Matching records of the last listing that belong to no other withdrawal; null = not listed yet.
  seen_ids text[],
  seen_at timestamptz,
  -- Time since which seen_ids has not changed.
  seen_since timestamptz,
  request jsonb not null,
  started_at timestamptz not null,
  lease_until timestamptz not null,
  submission_deadline timestamptz,
  sent_at timestamptz,
  finished_at timestamptz,
  outcome text not null default 'in_flight' check (outcome in ('in_flight', 'accepted', 'rejected',
    'verification_required', 'not_sent', 'unknown', 'not_executed')),
  exchange_id text,
  answer jsonb,
  clean_listings integer not null default 0,
  last_clean_listing_at timestamptz
);
create index withdrawal_attempts_of on withdrawal_attempts (withdrawal_id, started_at desc);
-- A second attempt can exist only when every earlier attempt was provably not executed.
create unique index withdrawal_attempts_one_live on withdrawal_attempts (withdrawal_id)
  where outcome in ('in_flight', 'unknown', 'accepted');
-- Makes a match in the exchange's history unique.
create unique index withdrawal_attempts_one_debit on withdrawal_attempts (debit_key)
  where outcome in ('in_flight', 'unknown');
-- Keeps a client that quotes again, perhaps at another fee, from paying the same receiver the same amount twice.
create unique index withdrawal_attempts_one_receipt on withdrawal_attempts (receipt_key)
  where outcome in ('in_flight', 'unknown');
`;

const WITHDRAWAL_RULES = `
create table withdrawal_transitions (
  from_state text not null,
  to_state text not null,
  primary key (from_state, to_state)
);
insert into withdrawal_transitions values
  ('created', 'submitting'), ('created', 'rejected'), ('created', 'verification_required'),
  ('submitting', 'created'), ('submitting', 'submitted'), ('submitting', 'rejected'),
  ('submitting', 'verification_required'), ('submitting', 'unknown'),
  ('verification_required', 'submitting'), ('verification_required', 'rejected'),
  ('unknown', 'submitted'), ('unknown', 'failed'), ('unknown', 'review'),
  ('review', 'submitted'), ('review', 'failed'),
  ('submitted', 'completed'), ('submitted', 'failed'), ('submitted', 'canceled'), ('submitted', 'review');

create function keep_withdrawal() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    raise exception 'withdrawals are never deleted' using errcode = 'restrict_violation';
  end if;
  if (new.id, new.quote_id, new.project_id, new.wallet_id, new.transaction_id, new.exchange, new.asset, new.network,
      new.address, new.tag, new.amount_no_fee, new.fee, new.amount_with_fee, new.client_ref, new.credential_version,
      new.created_at)
     is distinct from
     (old.id, old.quote_id, old.project_id, old.wallet_id, old.transaction_id, old.exchange, old.asset, old.network,
      old.address, old.tag, old.amount_no_fee, old.fee, old.amount_with_fee, old.client_ref, old.credential_version,
      old.created_at) then
    raise exception 'what withdrawal % moves and where to cannot change', old.id using errcode = 'restrict_violation';
  end if;
  if old.exchange_id is not null and new.exchange_id is distinct from old.exchange_id then
    raise exception 'withdrawal % is already linked to %', old.id, old.exchange_id using errcode = 'restrict_violation';
  end if;
  if new.state <> old.state and not exists (
    select from withdrawal_transitions t where t.from_state = old.state and t.to_state = new.state) then
    raise exception 'withdrawal % cannot go from % to %', old.id, old.state, new.state using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger keep_withdrawal before update or delete on withdrawals for each row execute function keep_withdrawal();

create function keep_attempt() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    raise exception 'attempts are never deleted' using errcode = 'restrict_violation';
  end if;
  if (new.id, new.withdrawal_id, new.wallet_id, new.credential_version, new.class, new.client_ref, new.debit_key,
      new.receipt_key, new.balance_before, new.known_ids, new.request, new.started_at)
     is distinct from
     (old.id, old.withdrawal_id, old.wallet_id, old.credential_version, old.class, old.client_ref, old.debit_key,
      old.receipt_key, old.balance_before, old.known_ids, old.request, old.started_at) then
    raise exception 'what attempt % sent cannot change', old.id using errcode = 'restrict_violation';
  end if;
  if new.outcome <> old.outcome and not (old.outcome = 'in_flight'
     or (old.outcome = 'unknown' and new.outcome in ('accepted', 'not_executed'))) then
    raise exception 'attempt % is decided as %', old.id, old.outcome using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger keep_attempt before update or delete on withdrawal_attempts for each row execute function keep_attempt();
`;

/** The first schema. Constraints and triggers enforce the rules about money independently of the code. */
export class Initial0001 implements MigrationInterface {
  readonly name = 'Initial1760000000001';

  async up(runner: QueryRunner): Promise<void> {
    for (const part of [ACCESS, WALLETS, TRANSACTIONS, QUOTES, WITHDRAWALS, WITHDRAWAL_RULES]) await runner.query(part);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('the first schema is not undone: drop the database instead'));
  }
}
