export const deposits = `
-- The last address that the exchange returned for a wallet, asset and network.
create table deposit_addresses (
  wallet_id uuid not null references wallets,
  asset text not null,
  network text not null,
  exchange_method_id text not null,
  address text not null,
  tag text,
  tag_type text check (tag_type in ('memo', 'destinationTag', 'message')),
  minimum numeric check (minimum >= 0),
  fee numeric check (fee >= 0),
  "limit" numeric check ("limit" >= 0),
  can_generate boolean not null,
  expires_at timestamptz,
  -- Id of the sealed credentials of the request. With other credentials the wallet may be another account.
  credential_version text not null,
  -- The form in which other spellings name this asset; null = they named another asset of the exchange, too.
  asset_folded text,
  -- Time before the exchange was asked. The answer to an older request changes nothing.
  fetched_at timestamptz not null,
  primary key (wallet_id, asset, network)
);
-- The lock of the call that lets the exchange create an address. Other calls wait, so that only one address is created.
create table deposit_locks (
  wallet_id uuid not null references wallets,
  asset text not null,
  network text not null,
  holder uuid not null,
  held_until timestamptz not null,
  primary key (wallet_id, asset, network)
);

create function erase_answers_of_wallet() returns trigger language plpgsql as $$
begin
  delete from deposit_addresses where wallet_id = new.id;
  delete from deposit_locks where wallet_id = new.id;
  delete from wallet_networks where wallet_id = new.id;
  delete from wallet_other_accounts where wallet_id = new.id;
  return null;
end $$;
create trigger erase_answers_of_wallet after update of deleted_at on wallets
  for each row when (old.deleted_at is null and new.deleted_at is not null) execute function erase_answers_of_wallet();
`;
