/** The credentials of wallets, their grants, refusals and holds, and the identities of the owners. */
export const credentials = `
-- The credentials of a deleted wallet stay while one of its withdrawals is not settled, at most until erase_after.
create table wallet_credentials (
  wallet_id uuid primary key references wallets,
  sealed jsonb not null,
  -- Keyed digest of the API key or access token, after four bytes that name the key of the digest. A notice of an
  -- exchange finds its account by this digest.
  key_digest bytea check (length(key_digest) = 36),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  erase_after timestamptz,
  -- Time of the database's clock at which the deleted wallet got erase_after. Only a trigger sets it.
  kept_since timestamptz
);
create index wallet_credentials_by_key on wallet_credentials (key_digest) where key_digest is not null;
-- The ids of the vault keys with which API keys and access tokens are encrypted. Each process reads these ids when it
-- starts, from this index and from the other indexes whose names end with by_key_id.
create index wallet_credentials_by_key_id on wallet_credentials ((sealed->'fields'->'apiKey'->>'keyId'));
create index wallet_credentials_to_erase on wallet_credentials (erase_after) where erase_after is not null;

-- An earlier number would let earlier credentials open again.
create function keep_credentials_sequence() returns trigger language plpgsql as $$
begin
  raise exception 'wallets.credentials_sequence only grows, by one for each write';
end $$;
create trigger keep_credentials_sequence before update of credentials_sequence on wallets
  for each row when (new.credentials_sequence not in (old.credentials_sequence, old.credentials_sequence + 1))
  execute function keep_credentials_sequence();

-- The present version of each wallet's credentials. Other libs read this view and never the sealed content.
create view current_credentials with (security_invoker) as select wallet_id, sealed->>'id' as version from wallet_credentials;

-- Unsettled withdrawals and orders (holder) that need one version of the credentials of a wallet, even a deleted one.
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
  -- Time of the database's clock. Only a trigger sets it.
  stored_at timestamptz not null,
  primary key (wallet_id, version)
);
create index replaced_credentials_by_key_id on replaced_credentials ((sealed->'fields'->'apiKey'->>'keyId'));
create index replaced_credentials_to_erase on replaced_credentials (erase_after);

-- The OAuth grant that renews a wallet's access token. It is deleted with the credentials.
create table wallet_grants (
  wallet_id uuid primary key references wallet_credentials on delete cascade,
  -- Changes with each refresh token, so that the result of a renewal with an old token is not stored for a new one.
  revision uuid not null,
  sealed jsonb not null,
  -- Our OAuth client at the exchange when the grant was given. The grant is valid for this client only.
  client_id text not null,
  scopes text[] not null,
  -- null = the exchange returned no expiry.
  access_expires_at timestamptz,
  refresh_expires_at timestamptz,
  -- Time when these tokens replaced others; null = they are the first.
  renewed_at timestamptz,
  -- Time of the next renewal by the worker; null = no further renewal.
  next_refresh_at timestamptz,
  -- Renewals with this refresh token that returned no new token.
  failures integer not null default 0 check (failures >= 0),
  -- How many of these renewals got no answer, and so may have used the token. After the end of the grant, the renewal
  -- that ended it counts, too, although it was answered.
  unanswered integer not null default 0 check (unanswered >= 0),
  -- Time when the exchange reported the end of the grant. The access token may stay valid for a while.
  ended_at timestamptz,
  check (ended_at is null or (next_refresh_at is null and holder is null)),
  -- The process that renews the token now, because an exchange may accept a refresh token only once.
  holder uuid,
  held_until timestamptz,
  check ((holder is null) = (held_until is null)),
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index wallet_grants_by_key_id on wallet_grants ((sealed->>'keyId'));
create index wallet_grants_due on wallet_grants (next_refresh_at) where next_refresh_at is not null;

-- The refusals of a wallet's credentials by its exchange. A row exists only while the wallet is flagged as invalid
-- (wallets.invalid_api): a success ends the series of refusals.
create table credential_refusals (
  wallet_id uuid primary key references wallets,
  -- Version of the refused credentials. The row does not apply to other credentials.
  version text not null,
  -- Times of the first and the last refusal that count towards a deletion; null = none counts.
  refused_since timestamptz,
  last_refused_at timestamptz,
  refusals integer not null check (refusals >= 0),
  -- Number of checks by the worker, with any result.
  checks integer not null check (checks >= 0),
  -- Whether a call has asked for the deletion of the wallet.
  deletion_wanted boolean not null,
  next_check_at timestamptz not null,
  check ((refusals = 0) = (refused_since is null) and (refusals = 0) = (last_refused_at is null))
);
create index credential_refusals_due on credential_refusals (next_check_at);

create function end_credential_refusals() returns trigger language plpgsql as $$
begin
  delete from credential_refusals where wallet_id = new.id;
  return null;
end $$;
create trigger end_credential_refusals after update of invalid_api, deleted_at on wallets
  for each row when ((old.invalid_api and not new.invalid_api) or (old.deleted_at is null and new.deleted_at is not null))
  execute function end_credential_refusals();

create table wallet_identities (
  wallet_id uuid primary key references wallets,
  sealed jsonb not null,
  created_at timestamptz not null
);
create index wallet_identities_by_key_id on wallet_identities ((sealed->>'keyId'));

-- Other credentials may belong to another account and thus to another person.
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
