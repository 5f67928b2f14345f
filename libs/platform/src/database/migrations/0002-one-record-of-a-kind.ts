import type { MigrationInterface, QueryRunner } from 'typeorm';

const COLUMNS = 'project_id, external_wallet_id, exchange, exchange_transaction_id';

/** Makes records of an exchange unique among those of their kind: a deposit can have the id of a withdrawal. */
export class OneRecordOfAKind0002 implements MigrationInterface {
  readonly name = 'OneRecordOfAKind1760000000002';

  async up(runner: QueryRunner): Promise<void> {
    await replaceIndex(runner, `${COLUMNS}, type`);
  }

  /** Fails if a deposit and a withdrawal of a wallet have the same id. */
  async down(runner: QueryRunner): Promise<void> {
    await replaceIndex(runner, COLUMNS);
  }
}

async function replaceIndex(runner: QueryRunner, columns: string): Promise<void> {
  await runner.query('drop index transactions_one_record');
  await runner.query(`create unique index transactions_one_record on transactions (${columns})`);
}
