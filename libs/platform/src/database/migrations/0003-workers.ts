import type { MigrationInterface, QueryRunner } from 'typeorm';

const MARKET = `
-- The last good answer of each exchange, as decimal strings by asset: {"BTC": "64000.1"}, in US dollars.
create table ticker_snapshots (
  exchange text primary key,
  prices jsonb not null,
  fetched_at timestamptz not null
);

-- The same, kept now and then: what something was worth when it moved.
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
  -- When the balances are to be refreshed in the background.
  add next_sync_at timestamptz not null default now(),
  -- Refreshes in a row that brought nothing.
  add sync_failures integer not null default 0 check (sync_failures >= 0),
  -- Whether the history of the wallet is being kept up (lib transaction has rows for it).
  add history_tracked boolean not null default false,
  -- How far the first reading of the history has come; null = it has not begun.
  add sync_progress jsonb;
create index wallets_due on wallets (next_sync_at) where deleted_at is null;
create index wallets_untracked on wallets (id) where not history_tracked and deleted_at is null;
`;

const HISTORY = `
alter table transactions
  -- 'execution': a withdrawal of ours, whose status only its settlement moves. 'exchange': from the exchange's history.
  -- An older release that still runs knows only the former.
  add origin text not null default 'execution' check (origin in ('execution', 'exchange')),
  -- The transaction that turned out to be the same record of the exchange; shown in place of this one.
  add superseded_by uuid references transactions check (superseded_by <> id),
  -- The exchange's own word for the status.
  add raw_status text,
  -- From the chain: when and in which block it was confirmed.
  add confirmed_at timestamptz,
  add block_height bigint check (block_height >= 0),
  -- When the chain is to be asked next (where a chain API is configured for the network); null = nothing to ask.
  add next_enrich_at timestamptz,
  -- When it was last asked.
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
-- Withdrawals of ours that wait for their id at the exchange.
create index transactions_awaiting on transactions (project_id, external_wallet_id)
  where origin = 'execution' and status = 'pending' and exchange_transaction_id is null;
create index transactions_to_enrich on transactions (network, next_enrich_at) where next_enrich_at is not null;

-- Who writes a transaction need not know that there are chains: there is something to ask as soon as there is something
-- to ask by, and again when that changes.
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

-- How far the history of a wallet has been read, for each kind of record.
create table transaction_syncs (
  wallet_id uuid not null references wallets,
  kind text not null check (kind in ('deposit', 'withdrawal')),
  -- Everything at the exchange before this moment has been read to the end; null = the first reading goes on.
  complete_until timestamptz,
  -- The first reading raises events only for what has happened since then.
  events_since timestamptz not null,
  -- The reading that goes on, from its newer end to its older one; null = none does.
  window_since timestamptz,
  window_until timestamptz,
  cursor text,
  -- The oldest record that the reading has come to.
  reached_at timestamptz,
  -- The oldest record that was put off, because it may be a withdrawal of ours: the next reading goes back to it.
  deferred_from timestamptz,
  -- What the first reading has read.
  records bigint not null default 0 check (records >= 0),
  -- Rises with every change: of two jobs that read the same page one writes it down.
  step bigint not null default 0,
  failures integer not null default 0 check (failures >= 0),
  next_sync_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (wallet_id, kind)
);
create index transaction_syncs_due on transaction_syncs (next_sync_at);
`;

const EVENTS = `
-- What has happened, for those who are told of it; written in the transaction that makes it true.
create table events (
  id uuid primary key,
  project_id uuid not null references projects,
  type text not null check (type ~ '^[a-z_]+(\\.[a-z_]+)+$'),
  -- What it is about, as the project knows it: a wallet id, a transaction id.
  subject text not null,
  data jsonb not null,
  created_at timestamptz not null
);
create index events_of_project on events (project_id, id);
create index events_by_age on events (created_at);
`;

const WITHDRAWALS = `
-- What is watched: as small as what is open.
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
