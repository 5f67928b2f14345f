/** Withdrawals and their attempts. */
export const withdrawals = `
create table withdrawals (
  id uuid primary key,
  quote_id uuid not null unique references quotes,
  project_id uuid not null references projects,
  -- The mode of the project.
  mode text not null check (mode in ('test', 'live')),
  wallet_id uuid not null references wallets,
  transaction_id uuid not null unique references transactions,
  credential_version text not null,
  exchange text not null,
  asset text not null,
  network text not null,
  address text not null,
  tag text,
  amount_no_fee numeric not null check (amount_no_fee > 0),
  fee numeric not null check (fee >= 0),
  amount_with_fee numeric not null check (amount_with_fee = amount_no_fee + fee),
  client_ref text not null,
  exchange_id text,
  state text not null default 'created' check (state in ('created', 'submitting', 'verification_required', 'submitted',
    'completed', 'failed', 'canceled', 'rejected', 'unknown', 'review')),
  error_code text,
  error_message text,
  error_result jsonb,
  next_check_at timestamptz,
  check_count integer not null default 0,
  -- Time since which the exchange answers without showing the withdrawal; null = it was shown, or no answer came.
  unconfirmed_since timestamptz,
  -- Time since which the exchange could not be queried about the withdrawal; null = the exchange has answered.
  unanswered_since timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  state_changed_at timestamptz not null,
  unique (wallet_id, client_ref),
  check ((state in ('rejected', 'verification_required')) = (error_code is not null))
);
-- One record of the exchange belongs to one withdrawal of all projects, because two wallets may be the same account.
create unique index withdrawals_one_record on withdrawals (mode, exchange, exchange_id);
-- Find the equal withdrawals of all projects that may have been executed at the exchange without being linked yet.
create index withdrawals_unlinked_debit on withdrawals (mode, exchange, asset, amount_with_fee)
  where state in ('submitting', 'unknown', 'review');
create index withdrawals_unlinked_receipt on withdrawals (mode, exchange, asset, amount_no_fee)
  where state in ('submitting', 'unknown', 'review');
create index withdrawals_due on withdrawals (next_check_at) where next_check_at is not null;
create index withdrawals_of_wallet on withdrawals (wallet_id, created_at desc);
create index withdrawals_tagged on withdrawals (wallet_id, asset, network, lower(address)) where tag is not null;
-- Finds the withdrawals whose references the records of an exchange show.
create index withdrawals_by_reference on withdrawals (client_ref);
create index withdrawals_in_review on withdrawals (updated_at) where state = 'review';
-- For the metrics of open withdrawals.
create index withdrawals_unsettled on withdrawals (state, created_at)
  where state not in ('completed', 'failed', 'canceled', 'rejected');

create table withdrawal_attempts (
  id uuid primary key,
  withdrawal_id uuid not null references withdrawals,
  wallet_id uuid not null references wallets,
  credential_version text not null,
  connector text not null,
  connector_version text not null,
  class text not null check (class in ('idempotent', 'by_reference', 'by_match')),
  client_ref text,
  debit_key text not null,
  receipt_key text not null,
  total_before numeric not null,
  free_before numeric not null,
  known_ids text[] not null,
  -- Matching records of the last listing that belong to no other withdrawal; null = not listed yet.
  seen_ids text[],
  seen_at timestamptz,
  -- Time since which seen_ids has not changed.
  seen_since timestamptz,
  request jsonb not null,
  started_at timestamptz not null,
  lease_until timestamptz not null,
  submission_deadline timestamptz,
  sent_at timestamptz,
  finished_at timestamptz,
  outcome text not null default 'in_flight' check (outcome in ('in_flight', 'accepted', 'rejected',
    'verification_required', 'not_sent', 'unknown', 'not_executed', 'disputed')),
  exchange_id text,
  answer jsonb,
  clean_listings integer not null default 0,
  last_clean_listing_at timestamptz
);
create index withdrawal_attempts_of on withdrawal_attempts (withdrawal_id, started_at desc);
-- A second attempt can exist only when every earlier attempt was provably not executed.
create unique index withdrawal_attempts_one_live on withdrawal_attempts (withdrawal_id)
  where outcome in ('in_flight', 'unknown', 'accepted');
-- Ensures that a record of the exchange's history can match one undecided attempt only.
create unique index withdrawal_attempts_one_debit on withdrawal_attempts (debit_key)
  where outcome in ('in_flight', 'unknown');
-- Keeps a client that quotes again, perhaps at another fee, from paying the same receiver the same amount twice.
create unique index withdrawal_attempts_one_receipt on withdrawal_attempts (receipt_key)
  where outcome in ('in_flight', 'unknown');
-- Refused attempts. Before an equal withdrawal is sent, they are compared with the history of the exchange once more.
create index withdrawal_attempts_refused_debit on withdrawal_attempts (debit_key, started_at)
  where outcome in ('rejected', 'verification_required', 'not_sent', 'not_executed');
create index withdrawal_attempts_refused_receipt on withdrawal_attempts (receipt_key, started_at)
  where outcome in ('rejected', 'verification_required', 'not_sent', 'not_executed');
-- Attempts that were refused or proven absent, and whose record the exchange shows after all.
create index withdrawal_attempts_disputed on withdrawal_attempts (started_at) where outcome = 'disputed';
`;
