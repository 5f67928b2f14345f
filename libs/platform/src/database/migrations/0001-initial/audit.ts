export const audit = `
-- The audit log, one chain for each organization: every entry has the hash of the entry before it.
create table audit_entries (
  organization_id uuid not null references organizations,
  sequence bigint not null check (sequence > 0),
  project_id uuid references projects,
  at timestamptz not null,
  actor text not null,
  action text not null,
  subject text not null,
  details jsonb not null,
  previous_hash bytea not null check (octet_length(previous_hash) = 32),
  hash bytea not null check (octet_length(hash) = 32),
  primary key (organization_id, sequence)
);

-- Finds the decision of an operator about a withdrawal, which is the evidence for its end.
create index audit_entries_settled on audit_entries (subject) where action like '%.settled';

-- Length and last hash of each chain. Adding an entry locks this row. A chain whose end was deleted does not match its row.
create table audit_chains (
  organization_id uuid primary key references organizations,
  length bigint not null check (length >= 0),
  head bytea not null check (octet_length(head) = 32)
);

create function keep_audit_entry() returns trigger language plpgsql as $$
begin
  raise exception 'audit entries cannot change and cannot be deleted' using errcode = 'restrict_violation';
end $$;
create trigger keep_audit_entry before update or delete on audit_entries
  for each row execute function keep_audit_entry();

create function keep_audit_chain() returns trigger language plpgsql as $$
begin
  if new.organization_id <> old.organization_id or new.length <> old.length + 1 then
    raise exception 'an audit chain can only grow, by one entry at a time' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger keep_audit_chain before update on audit_chains for each row execute function keep_audit_chain();
`;
