/** The rules about money that the database enforces, independently of the code. */
export const withdrawalRules = `
create table withdrawal_transitions (
  from_state text not null,
  to_state text not null,
  primary key (from_state, to_state)
);
insert into withdrawal_transitions values
  ('created', 'submitting'), ('created', 'rejected'), ('created', 'verification_required'),
  ('submitting', 'created'), ('submitting', 'submitted'), ('submitting', 'rejected'),
  ('submitting', 'verification_required'), ('submitting', 'unknown'),
  ('verification_required', 'submitting'), ('verification_required', 'rejected'),
  ('unknown', 'submitted'), ('unknown', 'failed'), ('unknown', 'review'),
  ('review', 'submitted'), ('review', 'failed'),
  ('submitted', 'completed'), ('submitted', 'failed'), ('submitted', 'canceled'), ('submitted', 'review'),
  -- The exchange shows a withdrawal that it refused, or that was proven absent.
  ('rejected', 'review'), ('failed', 'review'),
  -- After a restore of the database, withdrawals in these two states may have been sent.
  ('created', 'review'), ('verification_required', 'review');

create function keep_withdrawal() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    raise exception 'withdrawals are never deleted' using errcode = 'restrict_violation';
  end if;
  if (new.id, new.quote_id, new.project_id, new.mode, new.wallet_id, new.transaction_id, new.exchange, new.asset,
      new.network, new.address, new.tag, new.amount_no_fee, new.fee, new.amount_with_fee, new.client_ref, new.credential_version,
      new.created_at)
     is distinct from
     (old.id, old.quote_id, old.project_id, old.mode, old.wallet_id, old.transaction_id, old.exchange, old.asset,
      old.network, old.address, old.tag, old.amount_no_fee, old.fee, old.amount_with_fee, old.client_ref, old.credential_version,
      old.created_at) then
    raise exception 'the terms of withdrawal % cannot change', old.id using errcode = 'restrict_violation';
  end if;
  -- Another id needs an attempt that keeps the wrong id and has the other one, see keep_attempt.
  if old.exchange_id is not null and new.exchange_id is distinct from old.exchange_id
     and not (old.state in ('submitted', 'review') and exists (
       select from withdrawal_attempts where withdrawal_id = old.id and outcome = 'accepted'
         and exchange_id = new.exchange_id and answer->>'wrongId' = old.exchange_id)) then
    raise exception 'withdrawal % is already linked to %', old.id, old.exchange_id using errcode = 'restrict_violation';
  end if;
  if old.state = 'failed' and new.state = 'review' and old.exchange_id is not null then
    raise exception 'withdrawal % has failed at the exchange', old.id using errcode = 'restrict_violation';
  end if;
  if new.state <> old.state and not exists (
    select from withdrawal_transitions t where t.from_state = old.state and t.to_state = new.state) then
    raise exception 'withdrawal % cannot go from % to %', old.id, old.state, new.state using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger keep_withdrawal before update or delete on withdrawals for each row execute function keep_withdrawal();

create function keep_attempt() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    raise exception 'attempts are never deleted' using errcode = 'restrict_violation';
  end if;
  if (new.id, new.withdrawal_id, new.wallet_id, new.credential_version, new.class, new.client_ref, new.debit_key,
      new.receipt_key, new.total_before, new.free_before, new.known_ids, new.request, new.started_at)
     is distinct from
     (old.id, old.withdrawal_id, old.wallet_id, old.credential_version, old.class, old.client_ref, old.debit_key,
      old.receipt_key, old.total_before, old.free_before, old.known_ids, old.request, old.started_at) then
    raise exception 'the request that attempt % has sent cannot change', old.id using errcode = 'restrict_violation';
  end if;
  if new.outcome <> old.outcome and not (old.outcome = 'in_flight'
     or (old.outcome in ('unknown', 'disputed') and new.outcome in ('accepted', 'not_executed'))
     -- The exchange shows a record of an attempt that it refused, or that was proven absent.
     or (new.outcome = 'disputed' and (old.outcome in ('rejected', 'verification_required', 'not_executed')
       or (old.outcome = 'not_sent' and old.sent_at is not null)))) then
    raise exception 'attempt % has the final outcome %', old.id, old.outcome using errcode = 'restrict_violation';
  end if;
  -- The exchange can give the id of another record. The record with our reference is then the withdrawal, or that for which
  -- an operator has decided. The wrong id is kept.
  if old.exchange_id is not null and new.exchange_id is distinct from old.exchange_id
     and not (old.outcome = 'accepted' and new.exchange_id is not null
       and new.answer->>'wrongId' is not distinct from old.exchange_id
       and (is_settled_by_operator(old.withdrawal_id, 'withdrawal')
         or (old.class <> 'by_match' and old.client_ref is not null))
       and exists (select from withdrawals w where w.id = old.withdrawal_id and w.exchange_id = old.exchange_id
         and w.state in ('submitted', 'review'))) then
    raise exception 'attempt % has the id %', old.id, old.exchange_id using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger keep_attempt before update or delete on withdrawal_attempts for each row execute function keep_attempt();

-- Checks the next quotes with ids between after_id and before_id. Deletes their verifications, and those quotes that have no
-- withdrawal. The application can delete quotes and verifications only with this function, and only a day after the expiry
-- of the quote, because a verification counts the wrong codes. The last quote with a tag for an address is kept, because it shows that the
-- address needs a tag. Returns the id of the last quote that it checked; null = there is none.
create function delete_unexecuted_quotes(after_id uuid, before_id uuid, at_most integer) returns uuid
language sql security definer set search_path = public, pg_temp as $$
  with checked as (select id from quotes where id > after_id and id < before_id order by id limit at_most),
  verified as (
    delete from withdrawal_challenges c using checked, quotes q
    where c.quote_id = checked.id and q.id = checked.id and q.expires_at < now() - interval '1 day'
  ),
  deleted as (
    delete from quotes q using checked
    where q.id = checked.id and q.expires_at < now() - interval '1 day'
      and not exists (select from withdrawals w where w.quote_id = q.id)
      and (q.tag is null or exists (
        select from quotes later
        where later.wallet_id = q.wallet_id and later.asset = q.asset and later.network = q.network
          and lower(later.address) = lower(q.address) and later.tag is not null and later.id > q.id
      ))
  )
  select id from checked order by id desc limit 1
$$;
revoke execute on function delete_unexecuted_quotes from public;
`;
