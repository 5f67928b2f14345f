/** Prices and tradable pairs. */
export const market = `
-- The last valid prices of each exchange in US dollars, as decimal strings by asset: {"BTC": "64000.1"}.
create table ticker_snapshots (
  exchange text primary key,
  prices jsonb not null,
  fetched_at timestamptz not null
);

-- Past prices, for the value of a transaction at its time.
create table price_points (
  exchange text not null,
  at timestamptz not null,
  prices jsonb not null,
  primary key (exchange, at)
);
create index price_points_by_age on price_points (at);

-- The tradable pairs of each exchange, from its last valid pair list.
create table trading_catalogues (
  exchange text not null,
  mode text not null check (mode in ('test', 'live')),
  -- Format version. Each release reads only rows of its own version.
  schema_version integer not null,
  -- {"api": …, "pairs": […]}
  content json not null,
  -- generated_at: when the content last changed. fetched_at: when the exchange last confirmed the content.
  generated_at timestamptz not null,
  fetched_at timestamptz not null,
  primary key (exchange, mode)
);
`;
