import type { MigrationInterface, QueryRunner } from 'typeorm';

const CHALLENGES = `
-- The verifications that the exchange requires for a quote, and their progress.
create table withdrawal_challenges (
  quote_id uuid primary key references quotes,
  project_id uuid not null references projects,
  wallet_id uuid not null references wallets,
  -- The tag of the execution that opened the challenge.
  tag text,
  biz_no text not null check (length(biz_no) between 1 and 128),
  mode text not null check (mode in ('step_by_step', 'all_at_once')),
  relation text not null check (relation in ('AND', 'OR')),
  steps jsonb not null,
  attempts jsonb not null,
  -- Collected codes for an exchange that takes all codes in one call; sealed, and erased after they were sent.
  sealed_codes jsonb,
  wrong_codes integer not null default 0 check (wrong_codes >= 0),
  -- End of the lease of the call that uses the challenge, so that a code goes to the exchange once.
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
-- Quotes that a caller was informed have expired. They are never executed, whatever the clock of a process shows.
create table closed_quotes (
  quote_id uuid primary key references quotes,
  closed_at timestamptz not null
);
`;

const IDEMPOTENCY = `
-- The first response to a request with an Idempotency-Key; status null = the request is in progress.
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
-- The audit log, one chain for each organization: every entry has the hash of the entry before it.
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

-- Length and last hash of each chain. Adding an entry locks this row. A chain whose end was deleted does not match its row.
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
-- The known epochs of this database. A restored database has a new epoch without a row: the withdrawals that it has lost
-- are then read from the exchanges before money moves again.
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
    -- The timeline of the last checkpoint is not used, because it lags behind a promotion.
    ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::integer,
    'public.database_epochs'::regclass::oid)
$$;

-- Rows that are not newer than this may have changed in an epoch that the database has lost. -infinity: it was never
-- restored; infinity: its present epoch has no row yet.
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

-- Withdrawals that the exchange shows and a restored database does not have. Until an operator has settled one, nothing
-- of the same asset goes from its wallet to the same receiver with the same amount.
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

const TRANSITIONS = `
-- After a restore of the database it is not known whether these were sent.
insert into withdrawal_transitions values ('created', 'review'), ('verification_required', 'review');
-- Which record of an exchange belongs to which withdrawal of a project.
create index withdrawals_linked on withdrawals (project_id, exchange, exchange_id) where exchange_id is not null;
create index withdrawals_in_review on withdrawals (updated_at) where state = 'review';
`;

/** Challenges of the exchange, idempotent requests, decisions of operators, and restored databases. */
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
