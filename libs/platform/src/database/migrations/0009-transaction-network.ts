import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Every transaction shows a network: our id, else the exchange's own name, else `unknown`. */
export class TransactionNetwork0009 implements MigrationInterface {
  readonly name = 'TransactionNetwork1763800000009';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`update transactions set network = 'unknown' where network is null`);
    await runner.query(`
      alter table transactions
        alter column network set default 'unknown',
        alter column network set not null,
        add constraint transactions_network_named check (network <> '')`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table transactions
        drop constraint transactions_network_named,
        alter column network drop not null,
        alter column network drop default`);
  }
}
