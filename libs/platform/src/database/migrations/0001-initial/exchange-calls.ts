/** What all processes share about their calls to exchanges. */
export const exchangeCalls = `
-- The pauses that exchanges demand: bans, limits that are used up, and Retry-After. Each process keeps a copy.
create table exchange_pauses (
  exchange text not null check (length(exchange) between 1 and 64),
  -- The origin of the exchange's address.
  origin text not null check (length(origin) between 1 and 300),
  reach text not null check (reach in ('endpoint', 'credential', 'address_endpoint', 'address')),
  -- Empty for the calls of all credentials.
  credential_id text not null check (length(credential_id) <= 300),
  -- Method and path as in the code; empty for all endpoints.
  endpoint text not null check (length(endpoint) <= 300),
  reason text not null check (reason in ('ban', 'rate_limit', 'used_up', 'retry_after')),
  -- The HTTP status of the response that demanded the pause.
  status int not null,
  began_at timestamptz not null,
  ends_at timestamptz not null,
  primary key (exchange, origin, reach, credential_id, endpoint),
  check ((credential_id = '') = (reach in ('address', 'address_endpoint'))),
  check ((endpoint = '') = (reach in ('address', 'credential'))),
  check (ends_at >= began_at)
);
create index exchange_pauses_ends_at on exchange_pauses (ends_at);

-- The live processes that call exchanges. They share the limits of our address. Unlogged, because after a crash of the
-- server every process renews its row within seconds.
create unlogged table exchange_callers (
  id uuid primary key,
  seen_at timestamptz not null
);
`;
