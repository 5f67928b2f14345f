import type { MigrationInterface, QueryRunner } from 'typeorm';

const TOPICS = `
-- What listeners of one topic (the idem of a connect, a quote id) are told, in its order.
create table topic_messages (
  id uuid primary key,
  organization_id uuid not null references organizations,
  project_id uuid not null references projects,
  topic text not null check (length(topic) between 1 and 128),
  -- Of all messages, so that the order of a topic goes on when what it had is erased.
  position bigint generated always as identity,
  body jsonb not null,
  created_at timestamptz not null,
  unique (organization_id, topic, position)
);
create index topic_messages_by_age on topic_messages (created_at);
`;

const GRANTS = `
-- What renews the access token of a wallet that was connected by OAuth; it lives as long as the credentials.
create table wallet_grants (
  wallet_id uuid primary key references wallet_credentials on delete cascade,
  -- Another one with each refresh token: what is known of one token holds for no other.
  revision uuid not null,
  sealed jsonb not null,
  scopes text[] not null,
  -- null = the exchange does not say.
  access_expires_at timestamptz,
  refresh_expires_at timestamptz,
  -- When the worker renews it; null = never more.
  next_refresh_at timestamptz,
  -- Attempts with this refresh token of which no answer is known.
  failures integer not null default 0 check (failures >= 0),
  -- When the exchange said that it is over; the access token may be good for a while.
  ended_at timestamptz,
  check (ended_at is null or (next_refresh_at is null and holder is null)),
  -- Who renews it at this moment: the exchange lets a refresh token be used once.
  holder uuid,
  held_until timestamptz,
  check ((holder is null) = (held_until is null)),
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index wallet_grants_due on wallet_grants (next_refresh_at) where next_refresh_at is not null;
`;

const IDENTITIES = `
create table wallet_identities (
  wallet_id uuid primary key references wallets,
  sealed jsonb not null,
  created_at timestamptz not null
);

-- Other credentials may be of another account, and so of another person.
create function erase_identity_of_credentials() returns trigger language plpgsql as $$
begin
  delete from wallet_identities where wallet_id = new.wallet_id;
  return null;
end $$;
create trigger erase_identity_of_credentials after update of sealed on wallet_credentials
  for each row when (old.sealed->>'id' is distinct from new.sealed->>'id')
  execute function erase_identity_of_credentials();

create function erase_identity_of_wallet() returns trigger language plpgsql as $$
begin
  delete from wallet_identities where wallet_id = new.id;
  return null;
end $$;
create trigger erase_identity_of_wallet after update of deleted_at on wallets
  for each row when (old.deleted_at is null and new.deleted_at is not null) execute function erase_identity_of_wallet();
`;

const CONNECT = `
-- What a project allows its users' browsers; no row = nothing.
create table connect_projects (
  project_id uuid primary key references projects,
  -- Whether pages of these origins may begin without an API key.
  browser_connects boolean not null,
  origins text[] not null,
  return_urls text[] not null,
  updated_at timestamptz not null
);

-- One attempt of a person to connect an account, from the url to its outcome.
create table connect_sessions (
  id uuid primary key,
  organization_id uuid not null references organizations,
  project_id uuid not null references projects,
  idem text not null check (length(idem) between 16 and 128),
  -- The caller's id of the wallet.
  wallet_ref text not null,
  exchange text not null,
  -- false: a browser asked without an API key; it connects new wallets only.
  may_replace boolean not null,
  -- What the application wants to do with the account.
  access text[] not null,
  country text check (country ~ '^[A-Z]{2}$'),
  opener_origin text,
  return_url text,
  token_hash bytea not null unique,
  -- Of the cookie of the browser that opened it; null = nobody did.
  browser_hash bytea,
  state text not null check (state in ('created', 'opened', 'authorizing', 'scanning', 'confirming', 'connecting', 'connected', 'failed')),
  way text check (way in ('oauth', 'qr', 'key')),
  -- Of the OAuth state, while one is out.
  state_hash bytea unique,
  -- What belongs to the state: a code verifier, a QR login, a pasted key that waits for a word.
  sealed jsonb,
  qr_status text,
  -- While state is 'connecting': until then it belongs to the process that does it.
  lease_until timestamptz,
  attempts integer not null default 0 check (attempts >= 0),
  -- Of the last attempt: {"error": …, "type": …, "result"?: …}
  error jsonb,
  expires_at timestamptz not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  finished_at timestamptz,
  -- One that nobody opened can only end.
  check (state in ('created', 'failed') or browser_hash is not null),
  check ((state = 'authorizing') = (state_hash is not null)),
  check ((state in ('authorizing', 'scanning', 'confirming')) = (sealed is not null)),
  check ((state = 'connecting') = (lease_until is not null)),
  check ((state in ('connected', 'failed')) = (finished_at is not null)),
  unique (organization_id, idem)
);
create index connect_sessions_by_age on connect_sessions (created_at);
`;

/** Connecting by the account's owner: topics, grants, identities, sessions. */
export class Connect0005 implements MigrationInterface {
  readonly name = 'Connect1763700000005';

  async up(runner: QueryRunner): Promise<void> {
    for (const part of [TOPICS, GRANTS, IDENTITIES, CONNECT]) await runner.query(part);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`drop trigger erase_identity_of_wallet on wallets; drop function erase_identity_of_wallet()`);
    await runner.query(
      `drop trigger erase_identity_of_credentials on wallet_credentials; drop function erase_identity_of_credentials()`,
    );
    await runner.query(
      `drop table connect_sessions, connect_projects, wallet_identities, wallet_grants, topic_messages`,
    );
  }
}
