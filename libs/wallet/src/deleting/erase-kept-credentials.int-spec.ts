import type { ProjectIdentity } from '#access';
import { withoutRules } from '#platform/testing';
import { createWalletHarness, type WalletHarness } from '../testing/wallet-harness.js';
import { EraseKeptCredentials } from './erase-kept-credentials.js';

const BATCH = 100;

describe('kept credentials', () => {
  let harness: WalletHarness;
  let project: ProjectIdentity;
  /** Connects with the role of the worker. */
  let worker: WalletHarness;

  beforeAll(async () => {
    harness = await createWalletHarness();
    worker = await createWalletHarness({
      beside: harness,
      settings: { DATABASE_URL: harness.database.roleUrl('worker') },
    });
    project = await harness.project('test');
  });
  afterAll(async () => {
    await worker.close();
    await harness.close();
  });

  /** Makes wallets with credentials that are kept until `until`, and with replaced ones that are kept as long. */
  async function keep(count: number, until: Date, { areDeleted }: { areDeleted: boolean }): Promise<void> {
    await withoutRules(
      harness.database.ownerUrl,
      `with w as (
         insert into wallets (id, project_id, external_id, exchange, deleted_at)
         select gen_random_uuid(), '${project.id}', gen_random_uuid()::text, 'kraken', case when ${areDeleted} then now() end
           from generate_series(1, ${count}) returning id, project_id),
       c as (
         insert into wallet_credentials (wallet_id, project_id, sealed, erase_after)
         select id, project_id, '{"id": "v2"}', case when ${areDeleted} then '${until.toISOString()}'::timestamptz end from w)
       insert into replaced_credentials (wallet_id, project_id, version, sealed, replaced_at, erase_after, stored_at)
       select id, project_id, 'v1', '{"id": "v1"}', now(), '${until.toISOString()}', now() from w`,
    );
  }

  const countOf = async (table: string): Promise<number> =>
    (await harness.db.query(`select from ${table} where project_id = $1`, [project.id])).length;

  it('are erased when their time is over, 100 at a time, and younger ones and those of connected wallets stay', async () => {
    const now = harness.clock.now();
    await keep(2 * BATCH + 1, new Date(now.getTime() - 1_000), { areDeleted: true });
    await keep(1, new Date(now.getTime() + 60_000), { areDeleted: true });
    await keep(1, new Date(now.getTime() + 60_000), { areDeleted: false });
    let erased = 0;
    const statements = await worker.statementsOf(async () => {
      erased = await worker.get(EraseKeptCredentials).execute();
    });
    expect(erased).toBe(2 * (2 * BATCH + 1));
    expect([await countOf('wallet_credentials'), await countOf('replaced_credentials')]).toEqual([2, 2]);
    const deletions = (table: string): number =>
      statements.filter((sql) => sql.includes(`delete from ${table}`)).length;
    expect([deletions('wallet_credentials'), deletions('replaced_credentials')]).toEqual([3, 3]);
    expect(await worker.get(EraseKeptCredentials).execute()).toBe(0);
  });
});
