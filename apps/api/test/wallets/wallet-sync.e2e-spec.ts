import type { Output } from '#client';
import { until } from '#platform/testing';
import { PATIENT, TestApp, type TestProjectWithClient, type TestWallet } from '../support/test-app.js';

type Wallet = Output<'getWallet'>;

const PERIOD_MS = 900_000;
const BALANCES = 'BalanceEx';

describe('balances that the worker refreshes', () => {
  let app: TestApp;
  let project: TestProjectWithClient;

  beforeAll(async () => {
    app = await TestApp.create({
      worker: true,
      env: { ...PATIENT, WALLET_SYNC_SECONDS: String(PERIOD_MS / 1_000) },
      overrides: { WALLET_SYNC_SWEEP_MS: 50, WALLET_SYNC_PAUSE_FAILURES: 2, WALLET_SYNC_PAUSE_SECONDS: 1 },
    });
  });
  beforeEach(async () => {
    project = await app.project();
  });
  afterEach(() => app.sandbox.calm());
  afterAll(() => app.close());

  const get = ({ causeway }: TestWallet): Promise<Wallet> => causeway.getWallet();
  /** Returns whether the wallet was refreshed after an earlier reading. */
  const isRefreshed = async (wallet: TestWallet, before: Wallet | undefined): Promise<boolean> =>
    ((await get(wallet)).lastSyncAt ?? '') > (before?.lastSyncAt ?? '');

  /** Advances the clock by a whole period, so that every wallet is due. */
  const pass = (): void => app.clock.advance(PERIOD_MS * 1.1);

  /** Advances the clock by a whole period, and waits until the wallets are refreshed. */
  async function passAndRefresh(...wallets: TestWallet[]): Promise<void> {
    const before = await Promise.all(wallets.map(get));
    pass();
    for (const [index, wallet] of wallets.entries()) {
      await until('refreshed', () => isRefreshed(wallet, before[index]));
    }
  }

  /** Advances the clock until each wallet was refreshed again, and checks that none is flagged. */
  async function allRefreshedSince(wallets: TestWallet[], before: Wallet[]): Promise<void> {
    for (const [index, wallet] of wallets.entries()) {
      await until('refreshed', () => {
        app.clock.advance(1_000);
        return isRefreshed(wallet, before[index]);
      });
      expect((await get(wallet)).invalidApi).toBe(false);
    }
  }

  const events = async ({ walletId }: TestWallet): Promise<{ type: string; data: Record<string, unknown> }[]> =>
    app.db.query(`select type, data from events where project_id = $1 and subject = $2 order by id`, [
      project.projectId,
      walletId,
    ]);

  it('change after a deposit without a request of the caller, and raise one event', async () => {
    const wallet = await app.wallet(project, { balances: { BTC: '1', ETH: '2' } });
    await app.sandbox.fund(wallet.account, 'BTC', '0.5');
    pass();
    await until('shown', async () => (await get(wallet)).balances['BTC']?.total === 1.5);
    await passAndRefresh(wallet);
    expect(await events(wallet)).toMatchObject([
      { type: 'wallet.created', data: { walletId: wallet.walletId, exchange: 'kraken' } },
      { type: 'wallet.balance.updated', data: { assets: ['BTC', 'ETH'] } },
      { type: 'wallet.balance.updated', data: { walletId: wallet.walletId, exchange: 'kraken', assets: ['BTC'] } },
    ]);
  });

  it('are refreshed once in a period for every wallet', async () => {
    const wallets = await Promise.all(Array.from({ length: 8 }, () => app.wallet(project)));
    await passAndRefresh(...wallets);
    // The request that connected the wallet made one call, and the worker made the other.
    for (const { account } of wallets) expect(await app.sandbox.countCalls(account, BALANCES)).toBe(2);
  });

  it('are refreshed again when a ping finds that the key of an invalid wallet is valid', async () => {
    const wallet = await app.wallet(project);
    await app.sandbox.revoke(wallet.account);
    pass();
    await until('flagged', async () => (await get(wallet)).invalidApi);
    expect(await events(wallet)).toMatchObject([
      { type: 'wallet.created' },
      { type: 'wallet.balance.updated' },
      { type: 'wallet.credentials.invalid', data: { walletId: wallet.walletId, exchange: 'kraken' } },
    ]);
    await app.sandbox.restore(wallet.account);
    const before = await get(wallet);
    expect(await wallet.causeway.pingWallet()).toMatchObject({ success: true });
    await until('refreshed', () => isRefreshed(wallet, before));
    expect((await get(wallet)).invalidApi).toBe(false);
  });

  it('are refreshed again after an outage of the exchange, and no wallet is flagged', async () => {
    const wallets = await Promise.all(Array.from({ length: 4 }, () => app.wallet(project)));
    const before = await Promise.all(wallets.map(get));
    await app.sandbox.arm({ endpoint: BALANCES, fault: 'error_before', count: null });
    pass();
    await until('put off', async () => {
      const [row] = await app.db.query<{ count: number }>(
        `select count(*)::int as count from wallets where project_id = $1 and sync_failures > 0`,
        [project.projectId],
      );
      return (row?.count ?? 0) >= 2;
    });
    await app.sandbox.calm();
    pass();
    await allRefreshedSince(wallets, before);
  });

  it('are refreshed for every wallet even when the queue loses all jobs', async () => {
    const wallets = await Promise.all(Array.from({ length: 3 }, () => app.wallet(project)));
    const before = await Promise.all(wallets.map(get));
    await app.sandbox.arm({ endpoint: BALANCES, fault: 'hang_before', count: null });
    await app.db.query(`update wallets set next_sync_at = $1 where project_id = $2`, [
      app.clock.now(),
      project.projectId,
    ]);
    await until('begun', async () => {
      const counts = wallets.map(({ account }) => app.sandbox.countCalls(account, BALANCES));
      return (await Promise.all(counts)).every((count) => count >= 2);
    });
    await app.asOwner('truncate bullmq.job, bullmq.dedup cascade');
    await app.sandbox.calm();
    await allRefreshedSince(wallets, before);
  });

  it('are not read for a deleted wallet', async () => {
    const [gone, other] = [await app.wallet(project), await app.wallet(project)];
    await gone.causeway.deleteWallet();
    // A call that began before the deletion may still be logged after it.
    await passAndRefresh(other);
    const calls = await app.sandbox.countCalls(gone.account);
    await passAndRefresh(other);
    expect(await app.sandbox.countCalls(gone.account)).toBe(calls);
  });
});
