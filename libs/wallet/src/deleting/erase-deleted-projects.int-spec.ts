import type { ProjectIdentity } from '#access';
import { connectedWallet } from '../testing/connected-wallet.js';
import { createWalletHarness, type WalletHarness } from '../testing/wallet-harness.js';
import { EraseDeletedProjects } from './erase-deleted-projects.js';

const BATCH = 200;

describe('the wallets of a deleted project', () => {
  let harness: WalletHarness;
  let deleted: ProjectIdentity;
  let other: ProjectIdentity;

  beforeAll(async () => {
    harness = await createWalletHarness({ providers: [EraseDeletedProjects] });
  });
  afterAll(() => harness.close());
  beforeEach(async () => {
    [deleted, other] = [await harness.project('test'), await harness.project('test')];
    const balances = { BTC: { free: '1', used: '0', total: '1' } };
    for (const project of [deleted, other])
      await connectedWallet(harness.db, project, { vault: harness.vault, balances });
  });

  const remove = ({ id }: ProjectIdentity): Promise<unknown> =>
    harness.db.query(`update projects set deleted_at = now() where id = $1`, [id]);
  const run = (): Promise<number> => harness.get(EraseDeletedProjects).execute();

  interface Stored {
    wallets: number;
    balances: number;
    credentials: number;
  }

  /** Counts the connected wallets of a project, and the rows that belong to all of its wallets. */
  async function stored({ id }: ProjectIdentity): Promise<Stored | undefined> {
    const [row] = await harness.db.query<Stored>(
      `select count(*) filter (where deleted_at is null)::int as wallets,
         (select count(*)::int from wallet_balances b join wallets w on w.id = b.wallet_id where w.project_id = $1) as balances,
         (select count(*)::int from wallet_credentials c join wallets w on w.id = c.wallet_id where w.project_id = $1) as credentials
       from wallets where project_id = $1`,
      [id],
    );
    return row;
  }

  it('are deleted with their balances and credentials, and those of other projects stay', async () => {
    await remove(deleted);
    expect(await run()).toBe(1);
    expect(await stored(deleted)).toEqual({ wallets: 0, balances: 0, credentials: 0 });
    expect(await stored(other)).toEqual({ wallets: 1, balances: 1, credentials: 1 });
    expect(await run()).toBe(0);
  });

  it('stay while the project is only suspended', async () => {
    await harness.db.query(`update projects set suspended_at = now() where id = $1`, [deleted.id]);
    expect(await run()).toBe(0);
    expect(await stored(deleted)).toEqual({ wallets: 1, balances: 1, credentials: 1 });
  });

  it('are deleted 200 at a time, by several workers at once', async () => {
    await harness.db.query(
      `insert into wallets (id, project_id, external_id, exchange)
       select gen_random_uuid(), $1, 'wallet-' || n, 'kraken' from generate_series(1, $2) n`,
      [deleted.id, BATCH],
    );
    await remove(deleted);
    expect(await run()).toBe(BATCH);
    expect((await stored(deleted))?.wallets).toBe(1);
    expect(await Promise.all([run(), run()])).toContain(1);
    expect((await stored(deleted))?.wallets).toBe(0);
    expect((await stored(other))?.wallets).toBe(1);
    const events = await harness.db.query(`select from events where project_id = $1 and type = 'wallet.deleted'`, [
      deleted.id,
    ]);
    expect(events).toHaveLength(BATCH + 1);
  });
});
