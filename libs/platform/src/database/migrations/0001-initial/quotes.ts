/** Quotes, and the calls that execute them. */
export const quotes = `
create table quotes (
  id uuid primary key,
  project_id uuid not null references projects,
  wallet_id uuid not null references wallets,
  -- Version of the credentials that the quote was made with. Other credentials may belong to another account.
  credential_version text not null,
  exchange text not null,
  asset text not null,
  network text not null,
  address text not null check (length(address) between 1 and 1100),
  tag text check (length(tag) between 1 and 256),
  include_fee boolean not null,
  amount_no_fee numeric not null check (amount_no_fee > 0),
  fee numeric not null check (fee >= 0),
  amount_with_fee numeric not null check (amount_with_fee = amount_no_fee + fee),
  fee_details jsonb not null,
  requirements jsonb not null,
  min_withdrawal numeric,
  max_withdrawal numeric,
  price_usd numeric,
  created_at timestamptz not null,
  expires_at timestamptz not null check (expires_at > created_at)
);
-- Finds the tags that were used with an address. lower(), because some addresses can be written in either case.
create index quotes_tagged on quotes (wallet_id, asset, network, lower(address)) where tag is not null;

create function keep_quote() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' and old.expires_at < now() - interval '1 day'
     and not exists (select from withdrawals where quote_id = old.id) then
    return old;
  end if;
  raise exception 'quotes are immutable' using errcode = 'restrict_violation';
end $$;
create trigger keep_quote before update or delete on quotes for each row execute function keep_quote();

-- Quotes whose expiry was reported to a caller. They are never executed, whatever the clock of a process shows.
create table closed_quotes (
  quote_id uuid primary key references quotes on delete cascade,
  closed_at timestamptz not null
);

-- The call that is executing a quote; a call whose row is gone cannot start anything. The rule that money leaves at most once
-- does not depend on this table, so the rows may be lost in a crash.
create unlogged table execution_locks (
  quote_id uuid primary key,
  holder uuid not null,
  until timestamptz not null
);

-- The verifications that the exchange requires for a quote, and their progress.
create table withdrawal_challenges (
  quote_id uuid primary key references quotes on delete cascade,
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
