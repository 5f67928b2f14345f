/**
 * The columns whose values a row keeps for ever: its identity, its tenant, and what its reader relies on. A row that
 * moved to another project would take its rights along.
 */
const KEPT_COLUMNS: Readonly<Record<string, readonly string[]>> = {
  organizations: ['id', 'created_at'],
  projects: ['id', 'organization_id', 'mode', 'created_at'],
  api_keys: ['id', 'project_id', 'name', 'hint', 'hash', 'scopes', 'ip_allowlist', 'created_at'],
  idempotent_responses: ['project_id', 'key'],
  audit_chains: ['organization_id'],
  events: ['id', 'project_id', 'type', 'subject', 'data', 'created_at', 'position'],
  wallet_event_counters: ['project_id', 'external_wallet_id'],
  topic_messages: ['id', 'organization_id', 'project_id', 'topic', 'position', 'body', 'created_at'],
  webhook_endpoints: ['id', 'project_id', 'created_at'],
  webhook_secrets: ['id', 'endpoint_id', 'created_at'],
  webhook_deliveries: ['id', 'endpoint_id', 'event_id', 'event_type', 'created_at'],
  webhook_attempts: ['delivery_id', 'number', 'url', 'started_at'],
  received_webhooks: ['exchange', 'notice_id', 'body', 'received_at'],
  wallets: ['id', 'project_id', 'external_id', 'exchange', 'created_at'],
  wallet_balances: ['wallet_id', 'asset'],
  wallet_networks: ['wallet_id'],
  wallet_other_accounts: ['wallet_id'],
  wallet_credentials: ['wallet_id', 'created_at', 'kept_since'],
  credential_holds: ['wallet_id', 'holder', 'version', 'created_at'],
  replaced_credentials: ['wallet_id', 'version', 'replaced_at', 'stored_at'],
  wallet_grants: ['wallet_id'],
  credential_refusals: ['wallet_id'],
  wallet_identities: ['wallet_id', 'created_at'],
  transactions: ['id', 'project_id', 'external_wallet_id', 'exchange', 'origin', 'created_at'],
  transaction_syncs: ['wallet_id', 'kind'],
  closed_quotes: ['quote_id', 'closed_at'],
  execution_locks: ['quote_id'],
  withdrawal_challenges: ['quote_id', 'project_id', 'wallet_id', 'created_at'],
  epoch_checks: ['wallet_id'],
  unmatched_records: ['id', 'project_id', 'wallet_id', 'external_wallet_id', 'exchange', 'exchange_id', 'found_at'],
  deposit_addresses: ['wallet_id', 'asset', 'network'],
  deposit_locks: ['wallet_id', 'asset', 'network'],
  connect_projects: ['project_id'],
  connect_sessions: [
    'id',
    'organization_id',
    'project_id',
    'idem',
    'external_wallet_id',
    'may_replace',
    'api_key_id',
    'token_hash',
    'created_at',
  ],
};

/**
 * Returns the trigger that keeps the columns of a table. It runs only for statements that name one of the columns, so
 * other statements cost nothing.
 */
function keepColumns([table, columns]: [string, readonly string[]]): string {
  const row = (name: string): string => columns.map((column) => `${name}.${column}`).join(', ');
  return `
create trigger keep_columns before update of ${columns.join(', ')} on ${table} for each row
  when ((${row('new')}, null) is distinct from (${row('old')}, null)) execute function refuse_change();`;
}

/** The rules with which rows of tenants guard themselves, independently of the code that has the password of a role. */
export const rowRules = `
create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception 'this column of % never changes', tg_table_name using errcode = 'restrict_violation';
end $$;
${Object.entries(KEPT_COLUMNS).map(keepColumns).join('')}

-- Rows of one tenant refer to rows of the same tenant only. With a quote of the own project for the wallet of another one, an
-- API key could withdraw from that wallet.
alter table projects add constraint projects_of_organization unique (id, organization_id);
alter table wallets add constraint wallets_of_project unique (id, project_id);
alter table quotes add constraint quotes_of_wallet unique (id, wallet_id, project_id);
alter table api_keys add constraint api_keys_of_project unique (id, project_id);
alter table topic_messages add foreign key (project_id, organization_id) references projects (id, organization_id);
alter table audit_entries add foreign key (project_id, organization_id) references projects (id, organization_id);
alter table connect_sessions add foreign key (project_id, organization_id) references projects (id, organization_id);
alter table connect_sessions add foreign key (api_key_id, project_id) references api_keys (id, project_id);
alter table transactions add foreign key (wallet_id, project_id) references wallets (id, project_id);
alter table quotes add foreign key (wallet_id, project_id) references wallets (id, project_id);
alter table orders add foreign key (wallet_id, project_id) references wallets (id, project_id);
alter table unmatched_records add foreign key (wallet_id, project_id) references wallets (id, project_id);
alter table withdrawals add foreign key (quote_id, wallet_id, project_id) references quotes (id, wallet_id, project_id);
alter table withdrawal_challenges add foreign key (quote_id, wallet_id, project_id)
  references quotes (id, wallet_id, project_id) on delete cascade;

create function keep_project() returns trigger language plpgsql as $$
begin
  raise exception 'project % stays deleted', old.id using errcode = 'restrict_violation';
end $$;
create trigger keep_project before update of deleted_at on projects for each row
  when (old.deleted_at is not null and new.deleted_at is distinct from old.deleted_at) execute function keep_project();

create function keep_wallet() returns trigger language plpgsql as $$
begin
  raise exception 'wallet % stays deleted', old.id using errcode = 'restrict_violation';
end $$;
create trigger keep_wallet before update of deleted_at on wallets for each row
  when (old.deleted_at is not null and new.deleted_at is null) execute function keep_wallet();

-- The end of an API key can only come earlier. Null is the latest end.
create function keep_api_key() returns trigger language plpgsql as $$
begin
  raise exception 'API key % cannot become valid for longer', old.id using errcode = 'restrict_violation';
end $$;
create trigger keep_api_key before update of revoked_at, expires_at on api_keys for each row
  when (coalesce(new.revoked_at, 'infinity') > coalesce(old.revoked_at, 'infinity')
     or coalesce(new.expires_at, 'infinity') > coalesce(old.expires_at, 'infinity'))
  execute function keep_api_key();

-- A response is stored once. Only the claim of a new request replaces it, after its expiry.
create function keep_response() returns trigger language plpgsql as $$
begin
  raise exception 'the response to key % is stored', old.key using errcode = 'restrict_violation';
end $$;
create trigger keep_response before update on idempotent_responses for each row
  when (old.status is not null and (new.status is not null or new.body is not null or new.created_at < old.expires_at))
  execute function keep_response();

-- An event is numbered and dispatched once.
create trigger keep_dispatch before update of dispatched_at, wallet_sequence on events for each row
  when (old.dispatched_at is not null) execute function refuse_change();

-- A hold ends with the withdrawal or the order that has it.
create function keep_hold() returns trigger language plpgsql as $$
begin
  if exists (select from withdrawals where id = old.holder and state not in ('completed', 'failed', 'canceled', 'rejected'))
     or exists (select from orders where id = old.holder and state in ('placing', 'unknown')) then
    raise exception '% is not settled and needs its credentials', old.holder using errcode = 'restrict_violation';
  end if;
  return old;
end $$;
create trigger keep_hold before delete on credential_holds for each row execute function keep_hold();

create function is_settled_by_operator(id uuid, kind text) returns boolean language sql stable as $$
  select exists (
    select from audit_entries
    where subject = id::text and action like '%.settled' and action = kind || '.settled')
$$;

-- Only the roles that record unmatched records or settle them, those of the worker and of the command line, end withdrawals.
create function may_settle() returns boolean language sql stable as $$
  select has_table_privilege('unmatched_records', 'insert, update')
$$;

-- Only the role that may settle unmatched records, the command line's, records a decision of an operator.
create function keep_decision() returns trigger language plpgsql as $$
begin
  if not has_table_privilege('unmatched_records', 'update') then
    raise exception 'only an operator decides %', new.action using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger keep_decision before insert on audit_entries for each row
  when (new.action like '%.settled') execute function keep_decision();

-- A withdrawal is closed with evidence: the outcomes of its attempts, or the decision of an operator in the audit log.
create function keep_evidence() returns trigger language plpgsql as $$
begin
  if new.state = 'submitted' and new.exchange_id is null then
    raise exception 'withdrawal % has no id of the exchange', old.id using errcode = 'restrict_violation';
  end if;
  if new.state in ('completed', 'failed', 'canceled') and not may_settle() then
    raise exception 'this role does not end withdrawal %', old.id using errcode = 'restrict_violation';
  end if;
  if not (
       case when new.state = 'submitted' or old.state = 'submitted' then exists (
         select from withdrawal_attempts where withdrawal_id = old.id and outcome = 'accepted' and exchange_id = new.exchange_id)
       else not exists (
         select from withdrawal_attempts where withdrawal_id = old.id and outcome in ('in_flight', 'unknown', 'accepted', 'disputed'))
       end)
     and not is_settled_by_operator(old.id, 'withdrawal') then
    raise exception 'withdrawal % cannot become % without evidence', old.id, new.state using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger keep_evidence before update of state on withdrawals for each row
  when (new.state <> old.state and new.state in ('submitted', 'completed', 'failed', 'canceled', 'rejected'))
  execute function keep_evidence();

-- The worker follows an open withdrawal until it ends, or until an operator has to decide.
create function keep_check() returns trigger language plpgsql as $$
begin
  raise exception 'withdrawal % is open and needs a next check', old.id using errcode = 'restrict_violation';
end $$;
create trigger keep_check before update of state, next_check_at on withdrawals for each row
  when (coalesce(new.next_check_at, 'infinity') = 'infinity'
    and new.state not in ('review', 'completed', 'failed', 'canceled', 'rejected'))
  execute function keep_check();

-- Only listings of the exchange that do not show an attempt, or an operator, prove that it was not executed.
create function keep_unknown_attempt() returns trigger language plpgsql as $$
begin
  if not may_settle()
     or (new.clean_listings = 0 or old.outcome = 'disputed') and not is_settled_by_operator(old.withdrawal_id, 'withdrawal') then
    raise exception 'nothing shows that attempt % was not executed', old.id using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger keep_unknown_attempt before update of outcome on withdrawal_attempts for each row
  when (old.outcome in ('unknown', 'disputed') and new.outcome = 'not_executed') execute function keep_unknown_attempt();

create function keep_listings() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' or not may_settle() then
    raise exception 'this role does not read the listings of the exchange for attempt %', new.id using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger keep_listings before update of clean_listings on withdrawal_attempts for each row
  when (new.clean_listings <> old.clean_listings) execute function keep_listings();
create trigger keep_no_listings before insert on withdrawal_attempts for each row
  when (new.clean_listings <> 0) execute function keep_listings();

-- The transaction of a withdrawal ends as the withdrawal does, and not before it.
create function keep_end() returns trigger language plpgsql as $$
begin
  if exists (select from withdrawals where transaction_id = new.id and case new.status
      when 'ok' then state <> 'completed' when 'canceled' then state <> 'canceled' else state not in ('failed', 'rejected') end) then
    raise exception 'the withdrawal of transaction % has not ended as %', new.id, new.status using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger keep_end before update of status on transactions for each row
  when (new.status <> old.status and new.status <> 'pending') execute function keep_end();

create function keep_unmatched_record() returns trigger language plpgsql as $$
begin
  if old.settled_at is not null or not (is_settled_by_operator(old.id, 'unmatched_record') or exists (
    select from withdrawals w where w.wallet_id = old.wallet_id and is_settled_by_operator(w.id, 'withdrawal'))) then
    raise exception 'only an operator settles unmatched record %', old.id using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger keep_unmatched_record before update of settled_at on unmatched_records for each row
  when (new.settled_at is distinct from old.settled_at) execute function keep_unmatched_record();
`;
