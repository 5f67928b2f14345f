export const orders = `
create table orders (
  id uuid primary key,
  project_id uuid not null references projects,
  wallet_id uuid not null references wallets,
  -- The caller's id of the wallet.
  external_wallet_id text not null,
  exchange text not null,
  connector_version text not null,
  -- Id of the sealed credentials of the order. A listing without the order is evidence only with the same credentials.
  credential_version text not null,
  route_id text not null,
  base_asset text not null,
  quote_asset text not null,
  side text not null check (side in ('buy', 'sell')),
  type text not null check (type in ('market', 'limit')),
  volume numeric not null check (volume > 0),
  price numeric check (price > 0),
  check ((type = 'limit') = (price is not null)),
  -- The caller's Idempotency-Key, and the content of the request.
  idempotency_key text,
  asked text not null,
  -- Our id of the order, and the exact request, stored before it is sent.
  client_order_id text not null,
  request jsonb not null,
  -- After this time the exchange no longer accepts the order; null = the exchange takes no deadline.
  submission_deadline timestamptz,
  state text not null check (state in ('placing', 'unknown', 'refused', 'not_placed', 'open', 'closed')),
  -- Until this time the attempt belongs to the process that began it.
  lease_until timestamptz not null,
  sent_at timestamptz,
  exchange_ids text[] not null default '{}',
  status text not null check (status in ('open', 'filled', 'canceled', 'expired', 'unknown')),
  raw_status text not null,
  executed_volume numeric not null default 0 check (executed_volume >= 0),
  cost numeric not null default 0,
  average_price numeric not null default 0,
  -- [{"asset": …, "amount": …}], the amount as a decimal text; null = the exchange does not report the fees.
  fees jsonb default '[]' check (jsonb_typeof(fees) = 'array'),
  opened_at timestamptz,
  closed_at timestamptz,
  -- {"pair": …, "side": …, "type": …} with the exchange's names, and the exchange's text about the order.
  description jsonb not null,
  order_text text not null,
  -- The exchange's response to the placement, and its last answer about the order.
  place_answer jsonb,
  raw_answer jsonb,
  error_code text,
  error_message text,
  error_result jsonb,
  -- Time of the request that returned the stored state. An older answer changes nothing.
  read_at timestamptz,
  -- Time of the last search for an order with an unknown outcome.
  searched_at timestamptz,
  -- Time of the worker's next check; null = no further check.
  next_check_at timestamptz,
  -- Clean listings in a row without the order, and the time of the last one.
  clean_searches integer not null default 0 check (clean_searches >= 0),
  last_clean_search_at timestamptz,
  -- When the exchange showed an order that had been reported as refused or never placed.
  contradicted_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  check (case state when 'open' then status in ('open', 'unknown')
                    when 'closed' then status in ('filled', 'canceled', 'expired')
                    when 'refused' then status = 'canceled' and error_code is not null
                    when 'not_placed' then status = 'canceled'
                    else status = 'unknown' end),
  check ((state in ('open', 'closed')) = (exchange_ids <> '{}')),
  check (state <> 'closed' or next_check_at is null)
);
create index orders_due on orders (next_check_at) where next_check_at is not null;
create index orders_ended on orders (updated_at)
  where state in ('closed', 'refused', 'not_placed') and next_check_at is null;
create index orders_of_wallet on orders (wallet_id, created_at desc);
-- Unique among orders that may exist at the exchange. A repeat after an order that was not placed has the same id.
create unique index orders_client_id on orders (wallet_id, client_order_id) where state not in ('refused', 'not_placed');
-- For operators: orders whose outcome is unknown, and orders that were reported wrongly.
create index orders_unknown on orders (created_at) where state = 'unknown';
create index orders_contradicted on orders (contradicted_at) where contradicted_at is not null;
-- Orders that count as none and are still compared. An equal new order looks for them.
create index orders_compared on orders (wallet_id)
  where state in ('refused', 'not_placed') and next_check_at is not null;
create index orders_open on orders (wallet_id) where state = 'open';
-- By the caller's id, because a wallet that is deleted and connected again is the same wallet to the caller.
create index orders_of_key on orders (project_id, external_wallet_id, idempotency_key, created_at desc)
  where idempotency_key is not null;
-- While the outcome of an order is unknown and can still be found, no order with the same duplicate key is placed.
create unique index orders_one_in_doubt on orders (project_id, external_wallet_id, route_id, side, type, volume, price)
  nulls not distinct where state in ('placing', 'unknown') and next_check_at is not null;

create function keep_order() returns trigger language plpgsql as $$
begin
  -- An ended order is deleted when no comparison with its exchange is due, and no request needs it: a key is valid for at
  -- most 30 days, and the client order ids of a period of 365 days (order-name.ts) need all orders of this period.
  if tg_op = 'DELETE' then
    if old.state in ('closed', 'refused', 'not_placed') and old.next_check_at is null
       and greatest(old.created_at, old.updated_at) < now() - interval '398 days' then
      return old;
    end if;
    raise exception 'order % is kept', old.id using errcode = 'restrict_violation';
  end if;
  -- An order that was reported as refused or never placed changes only when the exchange shows it after all.
  if old.state = 'closed' or (old.state in ('refused', 'not_placed') and new.state = old.state
     and to_jsonb(new) - '{next_check_at,searched_at}'::text[] is distinct from to_jsonb(old) - '{next_check_at,searched_at}'::text[]) then
    raise exception 'order % is final', old.id using errcode = 'restrict_violation';
  end if;
  if old.contradicted_at is not null and new.contradicted_at is distinct from old.contradicted_at then
    raise exception 'order % was contradicted at %', old.id, old.contradicted_at using errcode = 'restrict_violation';
  end if;
  if (new.id, new.project_id, new.wallet_id, new.external_wallet_id, new.exchange, new.credential_version, new.route_id,
      new.base_asset, new.quote_asset, new.side, new.type, new.volume, new.price, new.idempotency_key, new.asked,
      new.client_order_id, new.created_at)
     is distinct from
     (old.id, old.project_id, old.wallet_id, old.external_wallet_id, old.exchange, old.credential_version, old.route_id,
      old.base_asset, old.quote_asset, old.side, old.type, old.volume, old.price, old.idempotency_key, old.asked,
      old.client_order_id, old.created_at) then
    raise exception 'the terms of order % cannot change', old.id using errcode = 'restrict_violation';
  end if;
  if (new.request, new.submission_deadline, new.lease_until) is distinct from (old.request, old.submission_deadline, old.lease_until)
     and not (old.state = 'placing' and new.state = 'placing' and new.lease_until = old.lease_until) then
    raise exception 'the request that order % has sent cannot change', old.id using errcode = 'restrict_violation';
  end if;
  if new.state <> old.state and not (old.state = 'placing' or (old.state = 'unknown' and new.state <> 'placing')
     or (old.state = 'open' and new.state = 'closed')
     or (old.state in ('refused', 'not_placed') and new.state in ('open', 'closed') and new.contradicted_at is not null)) then
    raise exception 'order % cannot go from % to %', old.id, old.state, new.state using errcode = 'restrict_violation';
  end if;
  if old.exchange_ids <> '{}' and new.exchange_ids <> old.exchange_ids then
    raise exception 'order % is already linked to %', old.id, old.exchange_ids using errcode = 'restrict_violation';
  end if;
  -- The exchange's final state always counts. A read_at far in the future was written with a wrong clock.
  if new.state <> 'closed' and (new.executed_volume < old.executed_volume
     or new.read_at < old.read_at and new.read_at > old.read_at - interval '2 minutes') then
    raise exception 'the report of order % is older than the stored one, or shows less executed volume', old.id using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger keep_order before update or delete on orders for each row execute function keep_order();
`;
