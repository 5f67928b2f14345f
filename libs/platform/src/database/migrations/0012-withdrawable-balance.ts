import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Stores which part of a balance can be withdrawn, and the accounts that hold the rest. */
export class WithdrawableBalance0012 implements MigrationInterface {
  readonly name = 'WithdrawableBalance1763800000012';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table wallet_balances
        -- null = all of \`free\`.
        add column withdrawable numeric check (withdrawable between 0 and free),
        -- [{account, amount}] as the exchange names its accounts; the amounts are decimal strings.
        add column elsewhere jsonb not null default '[]' check (jsonb_typeof(elsewhere) = 'array')`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`alter table wallet_balances drop column withdrawable, drop column elsewhere`);
  }
}
