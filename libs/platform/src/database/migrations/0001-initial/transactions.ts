/** Transactions, and the progress of reading them from the exchanges. */
export const transactions = `
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
  -- The exchange's id of the asset, where it is not the name: it outlives renamings of the asset.
  exchange_asset text check (exchange_asset <> asset),
  amount numeric not null check (amount >= 0),
  fee numeric check (fee >= 0),
  fee_asset text,
  amount_in_fiat numeric,
  fee_in_fiat numeric,
  fiat_currency text check (fiat_currency in ('USD', 'EUR')),
  address_to text,
  address_from text,
  tag text,
  -- Our id of the network, else the exchange's own name, else 'unknown'.
  network text not null default 'unknown' constraint transactions_network_named check (network <> ''),
  hash text,
  occurred_at timestamptz not null,
  -- 'execution': our own withdrawal, whose status only its settlement changes. 'exchange': from the exchange's history.
  origin text not null default 'execution' check (origin in ('execution', 'exchange')),
  -- The transaction that proved to be the same record of the exchange. It is shown in place of this one.
  superseded_by uuid references transactions check (superseded_by <> id),
  -- The exchange's own name of the status.
  raw_status text,
  -- Time and block of the confirmation, from the chain.
  confirmed_at timestamptz,
  block_height bigint check (block_height >= 0),
  -- Time of the next look-up on the chain (if a chain API is configured for the network); null = none is needed.
  next_enrich_at timestamptz,
  -- Time of the last look-up.
  enrich_asked_at timestamptz,
  enrich_count integer not null default 0 check (enrich_count >= 0),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
-- One record of an exchange is one row, also when its wallet was deleted and connected again under the same id. Some
-- exchanges number deposits and withdrawals independently, so a deposit can have the id of a withdrawal.
create unique index transactions_one_record
  on transactions (project_id, external_wallet_id, exchange, exchange_transaction_id, type);
-- Lists read the ids of a page, and check filters, in these indexes alone.
create index transactions_of_project on transactions (project_id, occurred_at desc, id desc)
  include (type, status, direction, network) where superseded_by is null;
create index transactions_of_wallet on transactions (project_id, external_wallet_id, occurred_at desc, id desc)
  include (asset, type, status, direction, network) where superseded_by is null;
create index transactions_of_asset on transactions (project_id, asset, occurred_at desc, id desc)
  include (type, status, direction, network) where superseded_by is null;
-- Without it, a far page of deposits would also read every withdrawal before that page.
create index transactions_of_type on transactions (project_id, type, occurred_at desc, id desc)
  include (status, direction, network) where superseded_by is null;
-- For filters by status, type, direction or network that find few rows or none. Where one of these filters is missing,
-- PostgreSQL skips from one value of its column to the next.
create index transactions_of_kind on transactions (project_id, status, type, direction, network, asset, occurred_at desc,
  id desc) where superseded_by is null;
-- Finds the earlier and later names of an asset. Few assets have another name than their id.
create index transactions_renamed on transactions (project_id, exchange_asset, asset, exchange)
  where exchange_asset is not null and superseded_by is null;
create index transactions_pending on transactions (wallet_id, occurred_at) where status = 'pending';
-- Our own withdrawals whose exchange id is not known yet.
create index transactions_awaiting on transactions (project_id, external_wallet_id)
  where origin = 'execution' and status = 'pending' and exchange_transaction_id is null;
create index transactions_to_enrich on transactions (network, next_enrich_at) where next_enrich_at is not null;

create function keep_settled_transaction() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    raise exception 'transactions are history and never deleted' using errcode = 'restrict_violation';
  end if;
  -- Only a withdrawal of ours whose failure an exchange's record disproves becomes pending again.
  if old.status = 'failed' and new.status = 'pending' and exists (
    select from withdrawals where transaction_id = old.id and state = 'review') then
    return new;
  end if;
  if old.status <> 'pending' and new.status <> old.status then
    raise exception 'transaction % is settled as %', old.id, old.status using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger keep_settled_transaction before update or delete on transactions
  for each row execute function keep_settled_transaction();

-- Makes a look-up due when a transaction gets a hash or an address, and again when its hash, network or address changes.
-- So the code that writes transactions does not need to know about chains.
create function ask_chain() returns trigger language plpgsql as $$
begin
  if new.confirmed_at is null and new.network is not null and coalesce(new.hash, new.address_to) is not null then
    new.next_enrich_at := new.updated_at;
    new.enrich_count := 0;
  end if;
  return new;
end $$;
create trigger ask_chain before insert on transactions for each row execute function ask_chain();
create trigger ask_chain_again before update on transactions for each row
  when ((new.hash, new.network, new.address_to) is distinct from (old.hash, old.network, old.address_to))
  execute function ask_chain();

-- The progress of reading a wallet's history, for each kind of record.
create table transaction_syncs (
  wallet_id uuid not null references wallets,
  kind text not null check (kind in ('deposit', 'withdrawal')),
  -- Every record before this time has been read; null = the first reading is in progress.
  complete_until timestamptz,
  -- The first reading creates events only for records after this time.
  events_since timestamptz not null,
  -- Period of the reading in progress, which goes from the newest record to the oldest; null = no reading.
  window_since timestamptz,
  window_until timestamptz,
  cursor text,
  -- All records of the period that are later than this have been read; null = none yet.
  complete_since timestamptz,
  -- While a long reading is in progress, the newest records are read ahead. When that was last done; null = not yet.
  ahead_until timestamptz,
  -- The latest moment of which the exchange may have more records than it lists; null = there is none.
  unlisted_at timestamptz,
  -- Time of the oldest record that the reading has reached.
  reached_at timestamptz,
  -- Time of the oldest deferred record, which may be our own withdrawal. The next reading goes back to it.
  deferred_from timestamptz,
  -- Number of records that the first reading has read.
  records bigint not null default 0 check (records >= 0),
  -- Increases with every change, so that only one of two jobs that read the same page stores it.
  step bigint not null default 0,
  failures integer not null default 0 check (failures >= 0),
  next_sync_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (wallet_id, kind)
);
create index transaction_syncs_due on transaction_syncs (next_sync_at);
`;
