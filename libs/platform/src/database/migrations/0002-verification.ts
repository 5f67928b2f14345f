import type { MigrationInterface, QueryRunner } from 'typeorm';

const CHALLENGES = `
-- What the exchange wants verified before it lets the money of a quote out, and how far that has come.
create table withdrawal_challenges (
  quote_id uuid primary key references quotes,
  project_id uuid not null references projects,
  wallet_id uuid not null references wallets,
  -- The tag that it was opened for.
  tag text,
  biz_no text not null check (length(biz_no) between 1 and 128),
  mode text not null check (mode in ('step_by_step', 'all_at_once')),
  relation text not null check (relation in ('AND', 'OR')),
  steps jsonb not null,
  attempts jsonb not null,
  -- Codes that wait for the call that takes them all; sealed, and erased once they were sent.
  sealed_codes jsonb,
  wrong_codes integer not null default 0 check (wrong_codes >= 0),
  -- Until when one call has it to itself: a code goes to the exchange once.
  working_until timestamptz,
  expires_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index withdrawal_challenges_sealed on withdrawal_challenges (quote_id) where sealed_codes is not null;
`;

const LOCKS = `
-- The call that is executing a quote; a call whose row is gone cannot start anything. The rule that money leaves at most once
-- does not depend on this table, so the rows may be lost in a crash.
create unlogged table execution_locks (
  quote_id uuid primary key,
  holder uuid not null,
  until timestamptz not null
);
`;

const CLOSED = `
-- Quotes whose end was told before they were executed: from then on none is, whatever the clock of a process says.
create table closed_quotes (
  quote_id uuid primary key references quotes,
  closed_at timestamptz not null
);
`;

const IDEMPOTENCY = `
-- The first answer to a request that carried an Idempotency-Key; without status = still being worked on.
create table idempotent_answers (
  project_id uuid not null references projects,
  key text not null check (length(key) between 1 and 255),
  fingerprint bytea not null check (octet_length(fingerprint) = 32),
  owner uuid not null,
  status integer,
  body jsonb,
  locked_until timestamptz not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  primary key (project_id, key)
);
create index idempotent_answers_expired on idempotent_answers (expires_at);
`;

const AUDIT = `
-- Who did what, one chain for each organization: every entry carries the hash of the one before it.
create table audit_entries (
  organization_id uuid not null references organizations,
  sequence bigint not null check (sequence > 0),
  project_id uuid references projects,
  at timestamptz not null,
  actor text not null,
  action text not null,
  subject text not null,
  details jsonb not null,
  previous_hash bytea not null check (octet_length(previous_hash) = 32),
  hash bytea not null check (octet_length(hash) = 32),
  primary key (organization_id, sequence)
);

-- How long each chain is and what it ends with: whoever adds an entry holds this row, and an end that was cut off shows.
create table audit_chains (
  organization_id uuid primary key references organizations,
  length bigint not null check (length >= 0),
  head bytea not null check (octet_length(head) = 32)
);

create function keep_audit_entry() returns trigger language plpgsql as $$
begin
  raise exception 'audit entries only grow' using errcode = 'restrict_violation';
end $$;
create trigger keep_audit_entry before update or delete on audit_entries
  for each row execute function keep_audit_entry();

create function keep_audit_chain() returns trigger language plpgsql as $$
begin
  if new.organization_id <> old.organization_id or new.length <> old.length + 1 then
    raise exception 'audit chains only grow' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger keep_audit_chain before update on audit_chains for each row execute function keep_audit_chain();
`;

const EPOCHS = `
-- Which lives of this database were seen. A restored one has another life and no row here: what it has forgotten is then
-- asked of the exchanges before money moves again.
create table database_epochs (
  epoch text primary key,
  first_seen_at timestamptz not null,
  is_original boolean not null
);
create unique index database_epochs_one_original on database_epochs (is_original) where is_original;

-- System and timeline change with a recovery to a point in time, a promotion and another server; the number of the table
-- changes when a dump is loaded.
create function current_database_epoch() returns text language sql stable as $$
  select concat_ws('/', (select s.system_identifier from pg_control_system() s),
    -- Not the timeline of the last checkpoint, which lags behind a promotion.
    ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::integer,
    'public.database_epochs'::regclass::oid)
$$;

-- What is not newer than this may have been gone on with in a life that the database has forgotten. -infinity: it was never
-- restored; infinity: its present life was not seen yet.
create function database_restored_at() returns timestamptz language sql stable as $$
  select coalesce((
    select case when e.is_original then '-infinity' else e.first_seen_at end
    from database_epochs e where e.epoch = current_database_epoch()), 'infinity')
$$;

insert into database_epochs values (current_database_epoch(), now(), true);

-- Wallets whose withdrawals at the exchange are to be compared with ours since the database was restored. Until that is
-- done (checked_at) no money leaves them.
create table epoch_checks (
  wallet_id uuid primary key references wallets,
  epoch text not null references database_epochs,
  next_check_at timestamptz not null,
  check_count integer not null default 0,
  checked_at timestamptz
);
create index epoch_checks_due on epoch_checks (next_check_at) where checked_at is null;

-- Withdrawals that the exchange shows and a restored database does not know. Until an operator has settled one, nothing
-- of the same asset goes from its wallet to the same receiver with the same amount.
create table unmatched_records (
  id uuid primary key,
  project_id uuid not null references projects,
  wallet_id uuid not null references wallets,
  -- The caller's id of the wallet: one that is deleted and connected again is the same to whoever pays.
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

const TRANSITIONS = `
-- After a restore nobody can say whether these were sent.
insert into withdrawal_transitions values ('created', 'review'), ('verification_required', 'review');
-- Which record of an exchange belongs to which withdrawal of a project.
create index withdrawals_linked on withdrawals (project_id, exchange, exchange_id) where exchange_id is not null;
create index withdrawals_in_review on withdrawals (updated_at) where state = 'review';
`;

/** Challenges of the exchange, idempotent requests, what operators decide, and restored databases. */
export class Verification0002 implements MigrationInterface {
  readonly name = 'Verification1763600000002';

  async up(runner: QueryRunner): Promise<void> {
    for (const part of [CHALLENGES, LOCKS, CLOSED, IDEMPOTENCY, AUDIT, EPOCHS, TRANSITIONS]) await runner.query(part);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      drop index withdrawals_in_review, withdrawals_linked;
      delete from withdrawal_transitions where from_state in ('created', 'verification_required') and to_state = 'review';
      drop function database_restored_at;
      drop function current_database_epoch;
      drop table unmatched_records, epoch_checks, database_epochs, audit_chains, audit_entries, idempotent_answers,
        execution_locks, withdrawal_challenges;
      drop function keep_audit_entry;
      drop function keep_audit_chain;
    `);
  }
}
