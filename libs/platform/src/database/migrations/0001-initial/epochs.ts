/** The epochs of the database, and the comparisons of wallets with their exchanges after a restore. */
export const epochs = `
-- The known epochs of this database. A restored database has a new epoch without a row: the withdrawals that it has lost
-- are then read from the exchanges before money moves again.
create table database_epochs (
  epoch text primary key,
  first_seen_at timestamptz not null,
  is_original boolean not null
);
create unique index database_epochs_one_original on database_epochs (is_original) where is_original;

-- A recovery to a point in time, a promotion or another server changes the system identifier or the timeline. Loading a
-- dump changes the id of the table.
create function current_database_epoch() returns text language sql stable as $$
  select concat_ws('/', (select s.system_identifier from pg_control_system() s),
    -- The timeline of the last checkpoint is not used, because it lags behind a promotion.
    ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::integer,
    'public.database_epochs'::regclass::oid)
$$;

-- Rows up to this time may have changed in an epoch that the database has lost. -infinity = the database was never
-- restored; infinity = its present epoch has no row yet.
create function database_restored_at() returns timestamptz language sql stable as $$
  select coalesce((
    select case when e.is_original then '-infinity' else e.first_seen_at end
    from database_epochs e where e.epoch = current_database_epoch()), 'infinity')
$$;

insert into database_epochs values (current_database_epoch(), now(), true);

-- Wallets whose withdrawals must be compared with the exchange after a restore of the database. Until that is
-- done (checked_at) no money leaves them.
create table epoch_checks (
  wallet_id uuid primary key references wallets,
  epoch text not null references database_epochs,
  next_check_at timestamptz not null,
  check_count integer not null default 0,
  checked_at timestamptz
);
create index epoch_checks_due on epoch_checks (next_check_at) where checked_at is null;

-- Withdrawals that the exchange shows and a restored database does not have. Until an operator has settled a record,
-- its wallet cannot withdraw the same amount of the same asset to the same receiver.
create table unmatched_records (
  id uuid primary key,
  project_id uuid not null references projects,
  wallet_id uuid not null references wallets,
  -- The caller's id, because a wallet that is deleted and connected again is the same wallet to the caller.
  external_wallet_id text not null,
  exchange text not null,
  exchange_id text not null,
  client_ref text,
  asset text not null,
  address text,
  amount_no_fee numeric not null,
  fee numeric,
  status text not null,
  occurred_at timestamptz not null,
  found_at timestamptz not null,
  settled_at timestamptz,
  unique (wallet_id, exchange_id)
);
create index unmatched_records_open on unmatched_records (project_id, external_wallet_id, asset) where settled_at is null;
`;
