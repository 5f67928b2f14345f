import { v7 } from 'uuid';
import type { ProjectIdentity } from '#access';
import { DAY_MS } from '#platform/clock';
import { until, withoutRules } from '#platform/testing';
import { DeleteWallet } from './delete-wallet.js';
import { EraseKeptCredentials } from './erase-kept-credentials.js';
import { connectedWallet } from '../testing/connected-wallet.js';
import { credentialVersionOf, holdCredentials } from '../testing/replace-credentials.js';
import { createWalletHarness, type WalletHarness } from '../testing/wallet-harness.js';
import { WalletBalances } from '../balances/wallet-balances.service.js';
import type { Wallet } from '../wallets/wallet.entity.js';
import { WalletNotFound } from '../wallets/wallet.errors.js';
import { Wallets } from '../wallets/wallets.service.js';

describe('deleting a wallet', () => {
  let harness: WalletHarness;
  let wallets: Wallets;
  let project: ProjectIdentity;
  let wallet: Wallet;

  beforeAll(async () => {
    harness = await createWalletHarness();
    wallets = harness.get(Wallets);
  });
  afterAll(() => harness.close());
  beforeEach(async () => {
    project = await harness.project('test');
    const balances = { BTC: { free: '1', used: '0', total: '1' } };
    wallet = await connectedWallet(harness.db, project, { vault: harness.vault, balances });
  });

  const remove = (): Promise<void> => harness.get(DeleteWallet).execute(project, wallet.externalId);
  const hold = (holder: string): Promise<void> => holdCredentials(harness, wallet, holder);
  const release = (holder: string): Promise<void> =>
    harness.db.transaction((tx) => wallets.release(tx, wallet.id, holder));
  const keptVersions = (): Promise<unknown[]> =>
    harness.db.query(`select version from replaced_credentials where wallet_id = $1`, [wallet.id]);
  const eraseAfter = async (): Promise<Date | null | undefined> => {
    const rows = await harness.db.query<{ erase_after: Date | null }>(
      `select erase_after from wallet_credentials where wallet_id = $1`,
      [wallet.id],
    );
    return rows[0]?.erase_after;
  };
  /** Ends the time for which the credentials are kept. No role can do that. */
  const expire = (table: string, since: 'kept_since' | 'stored_at'): Promise<void> =>
    withoutRules(
      harness.database.ownerUrl,
      `update ${table} set erase_after = now() - interval '1 second', ${since} = now() - interval '1 day'
        where wallet_id = '${wallet.id}'`,
    );

  it('erases credentials and balances and hides the wallet, but keeps the row that the history refers to', async () => {
    await remove();
    await expect(wallets.get(project, wallet.externalId)).rejects.toThrow(WalletNotFound);
    expect(await eraseAfter()).toBeUndefined();
    expect(await harness.get(WalletBalances).list(wallet)).toEqual([]);
    expect(await harness.db.query(`select id from wallets where id = $1`, [wallet.id])).toHaveLength(1);
  });

  it('is refused with WALLET_NOT_FOUND the second time', async () => {
    await remove();
    await expect(remove()).rejects.toThrow(WalletNotFound);
  });

  it('leaves the wallets of other projects alone', async () => {
    const other = await harness.project('test');
    await expect(harness.get(DeleteWallet).execute(other, wallet.externalId)).rejects.toThrow(WalletNotFound);
    expect(await wallets.get(project, wallet.externalId)).toMatchObject({ id: wallet.id });
  });

  it('keeps held credentials, for a day at most, until the last hold is released', async () => {
    const [first, second] = [v7(), v7()];
    await hold(first);
    await hold(second);
    const before = harness.clock.now().getTime();
    await remove();
    expect((await eraseAfter())?.getTime()).toBeGreaterThanOrEqual(before + DAY_MS);
    expect((await eraseAfter())?.getTime()).toBeLessThanOrEqual(harness.clock.now().getTime() + DAY_MS);
    await release(first);
    await release(v7());
    expect(await eraseAfter()).toBeInstanceOf(Date);
    await release(second);
    expect(await eraseAfter()).toBeUndefined();
  });

  it('counts two holds of one holder as one hold', async () => {
    const holder = v7();
    await hold(holder);
    await hold(holder);
    await release(holder);
    await remove();
    expect(await eraseAfter()).toBeUndefined();
  });

  it('keeps the credentials of a connected wallet when its last hold is released', async () => {
    const holder = v7();
    await hold(holder);
    await release(holder);
    expect(await eraseAfter()).toBeNull();
  });

  it('erases the kept credentials when all their holds are released at once', async () => {
    const holders = [v7(), v7(), v7(), v7()];
    for (const holder of holders) await hold(holder);
    await remove();
    await Promise.all(holders.map(release));
    expect(await eraseAfter()).toBeUndefined();
  });

  it('makes later holds impossible, because a deleted wallet cannot be locked', async () => {
    await remove();
    const late = harness.db.transaction((tx) => wallets.lockConnected(tx, wallet.id));
    await expect(late).rejects.toThrow(WalletNotFound);
  });

  it('waits for a hold in progress, and then keeps the credentials', async () => {
    const version = await credentialVersionOf(harness.db, wallet.id);
    let isLocked = false;
    let release: () => void = () => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    const holding = harness.db.transaction(async (tx) => {
      await wallets.lockConnected(tx, wallet.id);
      await wallets.hold(tx, wallet, { holder: v7(), version });
      isLocked = true;
      await released;
    });
    await until('the wallet is locked', async () => isLocked);
    const removal = remove();
    // The deletion waits for the lock of the transaction.
    await harness.untilBlocked();
    release();
    await Promise.all([holding, removal]);
    expect(await eraseAfter()).toBeInstanceOf(Date);
  });

  it('keeps replaced credentials that are held, and erases the current credentials', async () => {
    const holder = v7();
    await hold(holder);
    await harness.replaceCredentials(project, wallet);
    await remove();
    expect(await eraseAfter()).toBeUndefined();
    expect(await keptVersions()).toHaveLength(1);
    await release(holder);
    expect(await keptVersions()).toEqual([]);
  });

  it('erases the current credentials with their last hold although replaced credentials are still held', async () => {
    const later = v7();
    await hold(v7());
    await harness.replaceCredentials(project, wallet);
    await hold(later);
    await remove();
    expect(await eraseAfter()).toBeInstanceOf(Date);
    await release(later);
    expect(await eraseAfter()).toBeUndefined();
    expect(await keptVersions()).toHaveLength(1);
  });

  it('is not needed to erase replaced credentials with their last hold, even while the present ones are held', async () => {
    const [before, after] = [v7(), v7()];
    await hold(before);
    const replaced = await credentialVersionOf(harness.db, wallet.id);
    await harness.replaceCredentials(project, wallet);
    await hold(after);
    expect(await keptVersions()).toEqual([{ version: replaced }]);
    await release(before);
    expect(await keptVersions()).toEqual([]);
    await release(after);
    expect(await harness.credentialId(wallet.id)).not.toBeNull();
  });

  it('erases the kept credentials after a day, whatever holds them', async () => {
    await hold(v7());
    await remove();
    await harness.get(EraseKeptCredentials).execute();
    expect(await eraseAfter()).toBeInstanceOf(Date);
    await expire('wallet_credentials', 'kept_since');
    expect(await harness.get(EraseKeptCredentials).execute()).toBeGreaterThanOrEqual(1);
    expect(await eraseAfter()).toBeUndefined();
  });

  it('is not needed to erase replaced credentials after a day, whatever holds them', async () => {
    await hold(v7());
    await harness.replaceCredentials(project, wallet);
    await harness.get(EraseKeptCredentials).execute();
    expect(await keptVersions()).toHaveLength(1);
    await expire('replaced_credentials', 'stored_at');
    expect(await harness.get(EraseKeptCredentials).execute()).toBe(1);
    expect(await keptVersions()).toEqual([]);
  });
});
