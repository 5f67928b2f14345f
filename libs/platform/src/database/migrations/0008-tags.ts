import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Finds the tags that were used with an address, by quotes and by executions, for a wallet that may have been deleted and
 * connected again. `lower(address)`, because some addresses can be written in either case.
 */
export class Tags0008 implements MigrationInterface {
  readonly name = 'Tags1763800000008';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`drop index quotes_of_destination`);
    await runner.query(`
      create index quotes_tagged on quotes (wallet_id, asset, network, lower(address)) where tag is not null`);
    await runner.query(`
      create index withdrawals_tagged on withdrawals (wallet_id, asset, network, lower(address)) where tag is not null`);
    await runner.query(`create index wallets_by_reference on wallets (project_id, external_id)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`drop index wallets_by_reference`);
    await runner.query(`drop index withdrawals_tagged`);
    await runner.query(`drop index quotes_tagged`);
    await runner.query(`
      create index quotes_of_destination on quotes (wallet_id, asset, network, address, created_at desc)`);
  }
}
