/** Connect sessions, and the settings of projects for them. */
export const connect = `
-- A project's settings for connecting accounts in a browser; no row = no browser may begin a connect.
create table connect_projects (
  project_id uuid primary key references projects,
  -- Whether pages of these origins may begin a connect without an API key.
  browser_connects boolean not null,
  origins text[] not null,
  return_urls text[] not null,
  -- The access that a connect session requests when its caller names none; null = all that the project's API keys can use.
  connect_access text[] check (connect_access <@ array['read', 'deposit', 'trade', 'withdrawal']),
  -- The exchanges to which links may lead; null = all.
  exchanges text[] check (cardinality(exchanges) > 0),
  -- The appearance of the hosted page; null = the name of the project, our colours, and no logo.
  display_name text check (length(display_name) between 1 and 100),
  color text check (color ~ '^#[0-9a-f]{6}$'),
  logo_url text,
  updated_at timestamptz not null
);

-- One attempt of a person to connect an account, from the url to its outcome.
create table connect_sessions (
  id uuid primary key,
  organization_id uuid not null references organizations,
  project_id uuid not null references projects,
  idem text not null check (length(idem) between 16 and 128),
  -- The caller's id of the wallet.
  external_wallet_id text not null,
  -- null = the owner has not chosen an exchange yet.
  exchange text,
  -- Whether the owner chooses the exchange on the page.
  picks_exchange boolean not null,
  -- false: a browser began the session without an API key, and it connects new wallets only.
  may_replace boolean not null,
  -- The API key that began the session and must stay valid to its end; null = a browser began it.
  api_key_id uuid references api_keys,
  -- The access that the application named; null = none.
  requested_access text[],
  -- The access that the page asks for at the exchange.
  access text[] not null,
  country text check (country ~ '^[A-Z]{2}$'),
  -- The connect method to offer first; null = the exchange's best one.
  preferred_method text check (preferred_method in ('oauth', 'qr', 'key')),
  opener_origin text,
  return_url text,
  token_hash bytea not null unique,
  -- Hash of the cookie of the browser that opened the session; null = it was not opened.
  browser_hash bytea,
  state text not null check (state in ('created', 'opened', 'authorizing', 'scanning', 'confirming', 'connecting', 'connected', 'failed')),
  -- Connect method of the present or the last attempt.
  method text check (method in ('oauth', 'qr', 'key')),
  -- Hash of the OAuth state, while the owner is at the exchange.
  state_hash bytea unique,
  -- Hash of the previous OAuth state. A browser that returns with it sees the present state of the session.
  spent_state_hash bytea unique,
  -- Data of the state: a code verifier, a QR login, or a pasted key that waits for a confirmation.
  sealed jsonb,
  qr_status text check (qr_status in ('waiting', 'scanned', 'expired')),
  -- Earliest time of the next poll of the QR login.
  next_poll_at timestamptz,
  -- End of the lease of the process that connects, while state is 'connecting'.
  lease_until timestamptz,
  attempts integer not null default 0 check (attempts >= 0),
  -- Error of the last attempt: {"error": …, "type": …, "result"?: …}
  error jsonb,
  expires_at timestamptz not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  finished_at timestamptz,
  check (may_replace = (api_key_id is not null)),
  check (exchange is not null or (picks_exchange and state in ('created', 'opened', 'failed'))),
  -- A session that was not opened can only fail, or follow a QR login, for which a GET on the link suffices.
  check (state in ('created', 'failed') or browser_hash is not null
         or (method = 'qr' and state in ('scanning', 'connecting', 'connected'))),
  check ((state = 'authorizing') = (state_hash is not null)),
  check ((state in ('authorizing', 'scanning', 'confirming')) = (sealed is not null)),
  check ((state = 'connecting') = (lease_until is not null)),
  check ((state in ('connected', 'failed')) = (finished_at is not null)),
  unique (organization_id, idem)
);
create index connect_sessions_by_age on connect_sessions (created_at);
create index connect_sessions_scanning on connect_sessions (next_poll_at) where state = 'scanning';
create index connect_sessions_unfinished on connect_sessions (created_at) where finished_at is null;
`;
