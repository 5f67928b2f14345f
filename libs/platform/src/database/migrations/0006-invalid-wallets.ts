import type { MigrationInterface, QueryRunner } from 'typeorm';

const REFUSALS = `
-- The refusals of a wallet's credentials by its exchange. A row exists only while the wallet is flagged as invalid
-- (wallets.invalid_api): a success ends the series of refusals.
create table credential_refusals (
  wallet_id uuid primary key references wallets,
  -- Version of the refused credentials. The row does not apply to other credentials.
  version text not null,
  -- Times of the first and the last refusal that count towards a deletion; null = none counts.
  refused_since timestamptz,
  last_refused_at timestamptz,
  refusals integer not null check (refusals >= 0),
  -- Number of checks by the worker, with any result.
  checks integer not null check (checks >= 0),
  -- Whether a call has asked for the deletion of the wallet.
  deletion_wanted boolean not null,
  next_check_at timestamptz not null,
  check ((refusals = 0) = (refused_since is null) and (refusals = 0) = (last_refused_at is null))
);
create index credential_refusals_due on credential_refusals (next_check_at);

create function end_credential_refusals() returns trigger language plpgsql as $$
begin
  delete from credential_refusals where wallet_id = new.id;
  return null;
end $$;
create trigger end_credential_refusals after update of invalid_api, deleted_at on wallets
  for each row when ((old.invalid_api and not new.invalid_api) or (old.deleted_at is null and new.deleted_at is not null))
  execute function end_credential_refusals();
`;

/** Refused credentials, until the worker deletes the wallet or clears its flag. */
export class InvalidWallets0006 implements MigrationInterface {
  readonly name = 'InvalidWallets1763800000006';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(REFUSALS);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`drop trigger end_credential_refusals on wallets`);
    await runner.query(`drop function end_credential_refusals()`);
    await runner.query(`drop table credential_refusals`);
  }
}
