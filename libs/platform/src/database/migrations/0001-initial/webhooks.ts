/** Webhooks that are sent to applications, and notices that exchanges send. */
export const webhooks = `
-- An address of an application that receives the events of one project.
create table webhook_endpoints (
  id uuid primary key,
  project_id uuid not null references projects,
  url text not null check (length(url) between 1 and 2048),
  -- Text for people.
  description text not null,
  -- The types of events that are delivered; empty = all.
  event_types text[] not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- Since when every attempt has failed; null = the last attempt succeeded, or there was none.
  failing_since timestamptz,
  -- Since when nothing is delivered; null = the endpoint is enabled.
  disabled_at timestamptz,
  disabled_reason text check (disabled_reason in ('requested', 'failing', 'gone')),
  -- The process that delivers now, and when its lease ends.
  leased_by uuid,
  leased_until timestamptz,
  -- Number of secrets that were made. Each sealed secret has its number, so that an earlier one put back does not open.
  secrets_sequence integer not null default 0 check (secrets_sequence >= 0),
  check ((disabled_at is null) = (disabled_reason is null)),
  check ((leased_by is null) = (leased_until is null))
);
create index webhook_endpoints_of_project on webhook_endpoints (project_id, created_at, id);

-- The secrets that sign the deliveries of an endpoint. After a rotation the old one signs beside the new one.
create table webhook_secrets (
  id uuid primary key,
  endpoint_id uuid not null references webhook_endpoints on delete cascade,
  sealed jsonb not null,
  created_at timestamptz not null,
  -- Time when the secret stops signing; null = it is the current secret.
  expires_at timestamptz
);
create unique index webhook_secrets_current on webhook_secrets (endpoint_id) where expires_at is null;
create index webhook_secrets_by_key_id on webhook_secrets ((sealed->>'keyId'));
create index webhook_secrets_of_endpoint on webhook_secrets (endpoint_id, created_at);

-- An earlier number would let an earlier secret sign again.
create function keep_secrets_sequence() returns trigger language plpgsql as $$
begin
  raise exception 'webhook_endpoints.secrets_sequence only grows, by one for each secret' using errcode = 'restrict_violation';
end $$;
create trigger keep_secrets_sequence before update of secrets_sequence on webhook_endpoints
  for each row when (new.secrets_sequence not in (old.secrets_sequence, old.secrets_sequence + 1))
  execute function keep_secrets_sequence();

-- Only the newest secret is inserted, as the current one. Afterwards its end can only come earlier.
create function keep_webhook_secret() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' and new.expires_at is null and (new.sealed->>'sequence')::integer =
       (select secrets_sequence from webhook_endpoints where id = new.endpoint_id) then
    return new;
  end if;
  raise exception 'webhook secret % is not the newest one of its endpoint', new.id using errcode = 'restrict_violation';
end $$;
create trigger keep_new_webhook_secret before insert on webhook_secrets
  for each row execute function keep_webhook_secret();
create trigger keep_webhook_secret before update of expires_at on webhook_secrets for each row
  when (coalesce(new.expires_at, 'infinity') > coalesce(old.expires_at, 'infinity')) execute function keep_webhook_secret();

-- One event for one endpoint. The log is deleted together with its event.
create table webhook_deliveries (
  id uuid primary key,
  endpoint_id uuid not null references webhook_endpoints on delete cascade,
  event_id uuid not null references events on delete cascade,
  event_type text not null,
  state text not null check (state in ('pending', 'delivered', 'failed')),
  -- All attempts, and how many of them were made before the last re-send.
  attempts integer not null default 0 check (attempts >= 0),
  attempts_before integer not null default 0 check (attempts_before between 0 and attempts),
  resends integer not null default 0 check (resends >= 0),
  -- When the next attempt is due; null = no further attempt.
  next_attempt_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  unique (endpoint_id, event_id),
  check ((state = 'pending') = (next_attempt_at is not null))
);
create index webhook_deliveries_due on webhook_deliveries (endpoint_id, next_attempt_at) where state = 'pending';
create index webhook_deliveries_of_endpoint on webhook_deliveries (endpoint_id, created_at, id);
create index webhook_deliveries_of_event on webhook_deliveries (event_id);

-- One request of a delivery. It is written before the request is sent.
create table webhook_attempts (
  delivery_id uuid not null references webhook_deliveries on delete cascade,
  -- Counts the attempts of the delivery: 1, 2, 3 …
  number integer not null check (number > 0),
  url text not null,
  started_at timestamptz not null,
  -- null = the attempt is in progress, or its process ended during the attempt.
  finished_at timestamptz,
  request_headers jsonb,
  -- Status, headers and the first bytes of the response; null = there was none.
  response_status integer,
  response_headers jsonb,
  response_body text,
  -- Why the attempt has failed; null = it has succeeded or has not ended.
  error text,
  primary key (delivery_id, number)
);

-- Notices that exchanges have sent. Each is stored before it is answered, and processed by the worker.
create table received_webhooks (
  exchange text not null,
  -- The exchange's id of the notice.
  notice_id text not null check (length(notice_id) between 1 and 128),
  body jsonb not null,
  received_at timestamptz not null,
  -- Time from which a worker may process the notice; null = a worker has processed it.
  next_attempt_at timestamptz,
  attempts integer not null default 0 check (attempts >= 0),
  -- The result of processing it; null = it is not processed yet.
  outcome text check (outcome in ('applied', 'no_wallet', 'ignored', 'given_up')),
  primary key (exchange, notice_id),
  check ((next_attempt_at is null) = (outcome is not null))
);
create index received_webhooks_due on received_webhooks (next_attempt_at) where next_attempt_at is not null;
create index received_webhooks_by_age on received_webhooks (received_at);
`;
