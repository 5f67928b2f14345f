import type { MigrationInterface, QueryRunner } from 'typeorm';

const MARKET = `
-- The last valid prices of each exchange in US dollars, as decimal strings by asset: {"BTC": "64000.1"}.
create table ticker_snapshots (
  exchange text primary key,
  prices jsonb not null,
  fetched_at timestamptz not null
);

-- Past prices, for the value of a transaction at its time.
create table price_points (
  exchange text not null,
  at timestamptz not null,
  prices jsonb not null,
  primary key (exchange, at)
);
create index price_points_by_age on price_points (at);
`;

const WALLETS = `
alter table wallets
  -- Time of the next background refresh of the balances.
  add next_sync_at timestamptz not null default now(),
  -- Failed refreshes in a row.
  add sync_failures integer not null default 0 check (sync_failures >= 0),
  -- Whether the history of the wallet is read (the transaction lib has rows for it).
  add history_tracked boolean not null default false,
  -- Progress of the first reading of the history; null = it has not begun.
  add sync_progress jsonb;
create index wallets_due on wallets (next_sync_at) where deleted_at is null;
create index wallets_untracked on wallets (id) where not history_tracked and deleted_at is null;
`;

const HISTORY = `
alter table transactions
  -- 'execution': our own withdrawal, whose status only its settlement changes. 'exchange': from the exchange's history.
  -- An older release that still runs knows only the former.
  add origin text not null default 'execution' check (origin in ('execution', 'exchange')),
  -- The transaction that proved to be the same record of the exchange. It is shown in place of this one.
  add superseded_by uuid references transactions check (superseded_by <> id),
  -- The exchange's own name of the status.
  add raw_status text,
  -- Time and block of the confirmation, from the chain.
  add confirmed_at timestamptz,
  add block_height bigint check (block_height >= 0),
  -- Time of the next look-up on the chain (if a chain API is configured for the network); null = none is needed.
  add next_enrich_at timestamptz,
  -- Time of the last look-up.
  add enrich_asked_at timestamptz,
  add enrich_count integer not null default 0 check (enrich_count >= 0);

-- One record of an exchange is one row, also when its wallet was deleted and connected again under the same id.
alter table transactions drop constraint transactions_wallet_id_exchange_transaction_id_key;
create unique index transactions_one_record on transactions (project_id, external_wallet_id, exchange, exchange_transaction_id);

drop index transactions_of_project;
drop index transactions_of_wallet;
create index transactions_of_project on transactions (project_id, occurred_at desc, id desc) where superseded_by is null;
create index transactions_of_wallet on transactions (project_id, external_wallet_id, occurred_at desc, id desc)
  where superseded_by is null;
create index transactions_of_asset on transactions (project_id, asset, occurred_at desc, id desc)
  where superseded_by is null;
create index transactions_pending on transactions (wallet_id, occurred_at) where status = 'pending';
-- Our own withdrawals whose exchange id is not known yet.
create index transactions_awaiting on transactions (project_id, external_wallet_id)
  where origin = 'execution' and status = 'pending' and exchange_transaction_id is null;
create index transactions_to_enrich on transactions (network, next_enrich_at) where next_enrich_at is not null;

-- Makes a look-up due as soon as a transaction has something to look up, and again when that changes, so that code that
-- writes transactions does not need to know about chains.
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

const EVENTS = `
-- Events for projects, written in the transaction of the change that they report.
create table events (
  id uuid primary key,
  project_id uuid not null references projects,
  type text not null check (type ~ '^[a-z_]+(\\.[a-z_]+)+$'),
  -- Id of the changed object as the project knows it, such as a wallet id or a transaction id.
  subject text not null,
  data jsonb not null,
  created_at timestamptz not null
);
create index events_of_project on events (project_id, id);
create index events_by_age on events (created_at);
`;

const WITHDRAWALS = `
-- For the metrics of open withdrawals.
create index withdrawals_unsettled on withdrawals (state, created_at)
  where state not in ('completed', 'failed', 'canceled', 'rejected');
`;

/** Prices, background refreshes, histories of exchanges, events. */
export class Workers0003 implements MigrationInterface {
  readonly name = 'Workers1763700000003';

  async up(runner: QueryRunner): Promise<void> {
    for (const part of [MARKET, WALLETS, HISTORY, WITHDRAWALS, EVENTS]) await runner.query(part);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      drop table events, transaction_syncs, price_points, ticker_snapshots;
      drop trigger ask_chain on transactions;
      drop trigger ask_chain_again on transactions;
      drop function ask_chain();
      drop index withdrawals_unsettled, transactions_to_enrich, transactions_of_asset, transactions_awaiting, transactions_pending,
        transactions_of_wallet, transactions_of_project, transactions_one_record;
      alter table transactions add unique (wallet_id, exchange_transaction_id),
        drop origin, drop superseded_by, drop raw_status, drop confirmed_at, drop block_height, drop next_enrich_at,
        drop enrich_asked_at, drop enrich_count;
      create index transactions_of_project on transactions (project_id, occurred_at desc, id desc);
      create index transactions_of_wallet on transactions (wallet_id, occurred_at desc, id desc);
      drop index wallets_untracked, wallets_due;
      alter table wallets drop next_sync_at, drop sync_failures, drop history_tracked, drop sync_progress;
    `);
  }
}
