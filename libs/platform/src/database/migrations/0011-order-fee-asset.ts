import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Stores the asset of an order's fee. Until now every fee was in the quote asset. */
export class OrderFeeAsset0011 implements MigrationInterface {
  readonly name = 'OrderFeeAsset1763800000011';

  async up(runner: QueryRunner): Promise<void> {
    // null = the quote asset.
    await runner.query(`alter table orders add column fee_asset text check (length(fee_asset) between 1 and 40)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`alter table orders drop column fee_asset`);
  }
}
