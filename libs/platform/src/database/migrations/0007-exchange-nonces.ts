import type { MigrationInterface, QueryRunner } from 'typeorm';

const NONCES = `
-- The last nonce of each API key at an exchange. Unlogged, so that no call to an exchange waits for the disk: after a
-- crash of the server the time takes its place.
create unlogged table exchange_nonces (
  -- SHA-256 of the exchange's address and the API key.
  owner bytea primary key check (length(owner) = 32),
  last bigint not null,
  -- The submission that nobody may overtake, and until when.
  holder uuid,
  exclusive_until timestamptz,
  check ((holder is null) = (exclusive_until is null))
) with (fillfactor = 50);
`;

/** Nonces of one API key come from one place. */
export class ExchangeNonces0007 implements MigrationInterface {
  readonly name = 'ExchangeNonces1763800000007';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(NONCES);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`drop table exchange_nonces`);
  }
}
