/**
 * The least time for which held credentials stay after their replacement or the deletion of their wallet. It is the
 * least value of CREDENTIALS_KEEP_SECONDS, less ten minutes for differences between clocks.
 */
const LEAST_TIME = `interval '50 minutes'`;

/** The rules that keep the credentials which an unsettled withdrawal or order needs. */
export const credentialRules = `
-- Whether an unsettled withdrawal or order needs this version of the credentials.
create function is_held(wallet uuid, wanted text) returns boolean language sql stable as $$
  select exists (select from credential_holds where wallet_id = wallet and version = wanted)
$$;

create function is_copied(wallet uuid, wanted text) returns boolean language sql stable as $$
  select exists (select from replaced_credentials where wallet_id = wallet and version = wanted)
$$;

-- No role can set kept_since and stored_at to the past. They come from the clock of the database, and clock_timestamp()
-- does not return the begin of a transaction that was left open.
create function store_kept_since() returns trigger language plpgsql as $$
begin
  if exists (select from wallets where id = new.wallet_id and deleted_at is not null) then
    new.kept_since := clock_timestamp();
  end if;
  return new;
end $$;
create trigger store_kept_since before update of erase_after on wallet_credentials for each row
  when (old.kept_since is null) execute function store_kept_since();

-- Credentials are copied before their replacement, while something needs them. Another copy would be false evidence.
create function store_copy() returns trigger language plpgsql as $$
begin
  if not is_held(new.wallet_id, new.version) or not exists (
    select from wallet_credentials
     where wallet_id = new.wallet_id and sealed->>'id' = new.version and sealed = new.sealed) then
    raise exception 'these are not the held credentials of wallet %', new.wallet_id using errcode = 'restrict_violation';
  end if;
  new.stored_at := clock_timestamp();
  return new;
end $$;
create trigger store_copy before insert on replaced_credentials for each row execute function store_copy();

-- Credentials are deleted with their wallet, when nothing needs them, or at the end of the time for which they are kept.
create function keep_credentials() returns trigger language plpgsql as $$
begin
  if exists (select from wallets where id = old.wallet_id and deleted_at is not null
     and (not is_held(old.wallet_id, old.sealed->>'id')
       or old.erase_after <= now() and old.kept_since <= now() - ${LEAST_TIME})) then
    return old;
  end if;
  raise exception 'the credentials of wallet % are in use', old.wallet_id using errcode = 'restrict_violation';
end $$;
create trigger keep_credentials before delete on wallet_credentials for each row execute function keep_credentials();

create function keep_replaced_credentials() returns trigger language plpgsql as $$
begin
  if not is_held(old.wallet_id, old.version)
     or old.erase_after <= now() and old.stored_at <= now() - ${LEAST_TIME} then
    return old;
  end if;
  raise exception 'the replaced credentials of wallet % are held', old.wallet_id using errcode = 'restrict_violation';
end $$;
create trigger keep_replaced_credentials before delete on replaced_credentials
  for each row execute function keep_replaced_credentials();
-- A rotation of the vault's keys encrypts the same version again.
create trigger keep_version before update of sealed on replaced_credentials for each row
  when (new.sealed->>'id' is distinct from old.sealed->>'id') execute function refuse_change();

-- Credentials that a withdrawal or an order needs are replaced only after they were copied. Under the same version, other
-- bytes are a renewal of a grant, or a rotation of the vault's keys by the role that also writes replaced credentials.
create function keep_held_credentials() returns trigger language plpgsql as $$
begin
  if is_held(old.wallet_id, old.sealed->>'id') and not is_copied(old.wallet_id, old.sealed->>'id') and not (
    new.sealed->>'id' is not distinct from old.sealed->>'id'
    and (has_table_privilege('replaced_credentials', 'update')
      or exists (select from wallet_grants where wallet_id = old.wallet_id))) then
    raise exception 'the credentials of wallet % are held', old.wallet_id using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger keep_held_credentials before update of sealed on wallet_credentials for each row
  when (old.sealed is distinct from new.sealed) execute function keep_held_credentials();

-- After the number of another write, the current credentials open no more.
create function keep_held_write() returns trigger language plpgsql as $$
begin
  if exists (
    select from wallet_credentials c where c.wallet_id = old.id and is_held(c.wallet_id, c.sealed->>'id')
       and not is_copied(c.wallet_id, c.sealed->>'id'))
     and not exists (select from wallet_grants where wallet_id = old.id) then
    raise exception 'the credentials of wallet % are held', old.id using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger keep_held_write before update of credentials_sequence on wallets for each row
  when (new.credentials_sequence <> old.credentials_sequence) execute function keep_held_write();

-- A grant comes with new credentials, which nothing needs yet. A later one replaces it.
create function keep_ungranted() returns trigger language plpgsql as $$
begin
  if exists (
    select from wallet_credentials c where c.wallet_id = new.wallet_id and is_held(c.wallet_id, c.sealed->>'id'))
     and not exists (select from wallet_grants where wallet_id = new.wallet_id) then
    raise exception 'the credentials of wallet % are held without a grant', new.wallet_id using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger keep_ungranted before insert on wallet_grants for each row execute function keep_ungranted();
`;
