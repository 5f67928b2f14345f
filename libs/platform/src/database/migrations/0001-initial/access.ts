/** Organizations, projects, their API keys, and the stored responses of idempotent requests. */
export const access = `
create table organizations (
  id uuid primary key,
  name text not null check (length(name) between 1 and 200),
  created_at timestamptz not null default now()
);

create table projects (
  id uuid primary key,
  organization_id uuid not null references organizations,
  name text not null check (length(name) between 1 and 200),
  mode text not null check (mode in ('test', 'live')),
  created_at timestamptz not null default now(),
  -- All processes refuse the project, and no background work uses the credentials of its wallets; null = it is active.
  suspended_at timestamptz,
  deleted_at timestamptz
);
create index projects_by_organization on projects (organization_id);
create index projects_stopped on projects (id) where suspended_at is not null or deleted_at is not null;

-- The projects whose requests are refused. Open withdrawals and orders of these projects are still settled.
create view stopped_projects as
  select id from projects where suspended_at is not null or deleted_at is not null;

create table api_keys (
  id uuid primary key,
  project_id uuid not null references projects,
  name text not null check (length(name) between 1 and 200),
  hint text not null,
  hash bytea not null unique check (octet_length(hash) = 32),
  scopes text[] not null check (cardinality(scopes) > 0),
  ip_allowlist text[] not null default '{}',
  created_at timestamptz not null default now(),
  expires_at timestamptz,
  revoked_at timestamptz,
  last_used_at timestamptz
);
create index api_keys_by_project on api_keys (project_id, created_at desc, id desc);

-- Notifies every process to clear its cache of API keys when any client has changed or deleted a key or a project. A change
-- of last_used_at sends no notification, because it is frequent and grants nothing.
create function notify_api_key_changes() returns trigger language plpgsql as $$
begin
  perform pg_notify('api_key_changes', '');
  return null;
end $$;
create trigger notify_changes
  after update of hash, scopes, ip_allowlist, expires_at, revoked_at, project_id or delete on api_keys
  for each statement execute function notify_api_key_changes();
create trigger notify_changes after update of suspended_at, deleted_at, organization_id, mode or delete on projects
  for each statement execute function notify_api_key_changes();

-- The first response to a request with an Idempotency-Key; status null = the request is in progress.
create table idempotent_responses (
  project_id uuid not null references projects,
  key text not null check (length(key) between 1 and 255),
  fingerprint bytea not null check (octet_length(fingerprint) = 32),
  owner uuid not null,
  status integer,
  body jsonb,
  locked_until timestamptz not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  primary key (project_id, key)
);
create index idempotent_responses_expired on idempotent_responses (expires_at);
`;
