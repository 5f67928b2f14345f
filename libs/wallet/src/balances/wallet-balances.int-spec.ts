import type { ProjectIdentity } from '#access';
import type { AssetBalance } from '#exchange';
import { Amount } from '#money';
import { DeleteWallet } from '../deleting/delete-wallet.js';
import { connectedWallet } from '../testing/connected-wallet.js';
import { replaceCredentials } from '../testing/replace-credentials.js';
import { createWalletHarness, type WalletHarness } from '../testing/wallet-harness.js';
import { WalletBalances } from './wallet-balances.service.js';
import type { Wallet } from '../wallets/wallet.entity.js';
import { WalletNotFound } from '../wallets/wallet.errors.js';
import { Wallets } from '../wallets/wallets.service.js';

function balance(asset: string, free: string, used = '0'): AssetBalance {
  return { asset, free: Amount.of(free), used: Amount.of(used), total: Amount.of(free).plus(Amount.of(used)) };
}

const texts = (balances: AssetBalance[]): string[] =>
  balances.map(({ asset, free, used, total }) => `${asset} ${free} ${used} ${total}`);

describe('refreshing balances', () => {
  let harness: WalletHarness;
  let balances: WalletBalances;
  let project: ProjectIdentity;
  let wallet: Wallet;

  beforeAll(async () => {
    harness = await createWalletHarness();
    balances = harness.get(WalletBalances);
  });
  afterAll(() => harness.close());
  beforeEach(async () => {
    harness.exchanges.reset();
    project = await harness.project('test');
    wallet = await connectedWallet(harness.db, project, { vault: harness.vault });
  });

  const refresh = (): Promise<AssetBalance[]> => balances.refresh(wallet, { autoDelete: true });

  it('returns the balances that it stores, sorted by asset, with all digits, without balances of zero', async () => {
    harness.exchanges.balances = () => [
      balance('ETH', '0.123456789012345678', '1'),
      balance('BTC', '1e-8'),
      balance('X', '0'),
    ];
    const answer = await refresh();
    expect(texts(answer)).toEqual(['BTC 0.00000001 0 0.00000001', 'ETH 0.123456789012345678 1 1.123456789012345678']);
    expect(texts(await balances.list(wallet))).toEqual(texts(answer));
  });

  it('stores which part can be withdrawn, and the accounts that hold the rest', async () => {
    const withdrawable = Amount.of('0.4');
    const elsewhere = [{ account: 'trading', kind: 'free' as const, amount: Amount.of('0.600000000000000001') }];
    const split: AssetBalance = { ...balance('BTC', '1.000000000000000001'), withdrawable, elsewhere };
    harness.exchanges.balances = () => [split, balance('ETH', '2')];
    await refresh();
    expect(await balances.list(wallet)).toEqual([split, balance('ETH', '2')]);
    const moved: AssetBalance = { ...split, withdrawable: split.free, elsewhere: [] };
    harness.exchanges.balances = () => [moved, balance('ETH', '2')];
    await refresh();
    const [stored] = await balances.list(wallet);
    expect(stored?.withdrawable).toEqual(split.free);
    expect(stored?.elsewhere).toBeUndefined();
    harness.exchanges.balances = () => [balance('BTC', '1'), balance('ETH', '2')];
    await refresh();
    expect((await balances.list(wallet))[0]).toEqual(balance('BTC', '1'));
  });

  describe('with a balance that cannot always be read', () => {
    const partial: AssetBalance = { ...balance('BTC', '0'), isPartial: true };
    const eventAssets = async (): Promise<unknown[]> => {
      const events = await harness.db.query<{ data: { assets: string[] } }>(
        `select data from events where project_id = $1 and type = 'wallet.balance.updated' order by position`,
        [project.id],
      );
      return events.map(({ data }) => data.assets);
    };

    it('keeps the last known amounts, marks them, and raises no event until they have changed', async () => {
      harness.exchanges.balances = () => [balance('BTC', '1'), balance('ETH', '2')];
      await refresh();
      harness.exchanges.balances = () => [partial, balance('ETH', '3')];
      expect(await refresh()).toMatchObject([{ ...balance('BTC', '1'), isPartial: true }, balance('ETH', '3')]);
      expect(await balances.list(wallet)).toEqual([{ ...balance('BTC', '1'), isPartial: true }, balance('ETH', '3')]);
      await refresh();
      harness.exchanges.balances = () => [balance('BTC', '1'), balance('ETH', '3')];
      expect(await refresh()).toEqual([balance('BTC', '1'), balance('ETH', '3')]);
      expect(await balances.list(wallet)).toEqual([balance('BTC', '1'), balance('ETH', '3')]);
      expect(await eventAssets()).toEqual([['BTC', 'ETH'], ['ETH']]);
    });

    it('shows an asset that was never read, and raises an event when it has amounts', async () => {
      harness.exchanges.balances = () => [partial];
      expect(await refresh()).toEqual([partial]);
      expect(await eventAssets()).toEqual([]);
      harness.exchanges.balances = () => [balance('BTC', '1')];
      await refresh();
      expect(await balances.list(wallet)).toEqual([balance('BTC', '1')]);
      expect(await eventAssets()).toEqual([['BTC']]);
    });
  });

  it('keeps a debt of an asset of which the owner has nothing', async () => {
    const elsewhere = [{ account: 'margin', kind: 'owed' as const, amount: Amount.of('12.34') }];
    const owed: AssetBalance = { ...balance('USD', '0'), withdrawable: Amount.zero, elsewhere };
    harness.exchanges.balances = () => [owed];
    expect(await refresh()).toEqual([owed]);
    expect(await balances.list(wallet)).toEqual([owed]);
  });

  it('replaces the stored balances, and removes those that the exchange no longer reports', async () => {
    harness.exchanges.balances = () => [balance('BTC', '1'), balance('ETH', '2')];
    await refresh();
    harness.exchanges.balances = () => [balance('ETH', '3')];
    await refresh();
    expect(texts(await balances.list(wallet))).toEqual(['ETH 3 0 3']);
  });

  it('sets lastSyncAt, clears the flag, and changes updatedAt only when it clears the flag', async () => {
    const before = harness.clock.now();
    await refresh();
    const synced = await harness.get(Wallets).get(project, wallet.externalId);
    expect(synced.lastSyncAt?.getTime()).toBeGreaterThanOrEqual(before.getTime());
    expect(synced.updatedAt).toEqual(wallet.updatedAt);
    await harness.db.query(`update wallets set invalid_api = true where id = $1`, [wallet.id]);
    await refresh();
    const cleared = await harness.get(Wallets).get(project, wallet.externalId);
    expect(cleared.invalidApi).toBe(false);
    expect(cleared.updatedAt.getTime()).toBeGreaterThan(wallet.updatedAt.getTime());
  });

  it('returns the balances and stores nothing on a host whose clock is wrong', async () => {
    harness.exchanges.balances = () => [balance('BTC', '1')];
    harness.clock.wallErrorMs = 3_600_000;
    try {
      expect(texts(await refresh())).toEqual(['BTC 1 0 1']);
    } finally {
      harness.clock.wallErrorMs = 0;
    }
    expect(await balances.list(wallet)).toEqual([]);
    expect((await harness.get(Wallets).get(project, wallet.externalId)).lastSyncAt).toBeNull();
  });

  it('stores balances although the stored lastSyncAt lies in the future, because a clock was ahead', async () => {
    await harness.db.query(`update wallets set last_sync_at = $2 where id = $1`, [
      wallet.id,
      new Date(harness.clock.now().getTime() + 3_600_000),
    ]);
    harness.exchanges.balances = () => [balance('BTC', '1')];
    await refresh();
    expect(texts(await balances.list(wallet))).toEqual(['BTC 1 0 1']);
    const { lastSyncAt } = await harness.get(Wallets).get(project, wallet.externalId);
    expect(lastSyncAt?.getTime()).toBeLessThanOrEqual(harness.clock.now().getTime());
  });

  it('keeps the response to the later request when the response to the earlier request arrives last', async () => {
    let answerFirst = (_: AssetBalance[]): void => undefined;
    const asked = new Promise<void>((resolve) => {
      harness.exchanges.balances = () => {
        resolve();
        return new Promise<AssetBalance[]>((answer) => (answerFirst = answer));
      };
    });
    const slow = refresh();
    await asked;
    harness.exchanges.balances = () => [balance('BTC', '2')];
    await refresh();
    answerFirst([balance('BTC', '1')]);
    expect(texts(await slow)).toEqual(['BTC 1 0 1']);
    expect(texts(await balances.list(wallet))).toEqual(['BTC 2 0 2']);
  });

  it('stores nothing for a wallet that was deleted during the request', async () => {
    harness.exchanges.balances = async () => {
      await harness.get(DeleteWallet).execute(project, wallet.externalId);
      return [balance('BTC', '1')];
    };
    await expect(refresh()).rejects.toThrow(WalletNotFound);
    expect(await balances.list(wallet)).toEqual([]);
  });

  it('stores the reported balances when eight calls run at once', async () => {
    harness.exchanges.balances = () => [balance('BTC', '1'), balance('ETH', '2')];
    await Promise.all(Array.from({ length: 8 }, refresh));
    expect(texts(await balances.list(wallet))).toEqual(['BTC 1 0 1', 'ETH 2 0 2']);
  });

  describe('the write of the balances', () => {
    const eventsOf = (): Promise<{ type: string; data: Record<string, unknown> }[]> =>
      harness.db.query(`select type, data from events where project_id = $1 order by id`, [project.id]);
    const versions = async (): Promise<Record<string, string>> => {
      const rows = await harness.db.query<{ asset: string; version: string }>(
        `select asset, xmin::text as version from wallet_balances where wallet_id = $1`,
        [wallet.id],
      );
      return Object.fromEntries(rows.map(({ asset, version }) => [asset, version]));
    };

    it('contains only the changed balances, and raises one event with the assets that changed', async () => {
      harness.exchanges.balances = () => [balance('BTC', '1'), balance('ETH', '2'), balance('SOL', '3')];
      await refresh();
      const before = await versions();
      harness.exchanges.balances = () => [balance('BTC', '1.0'), balance('ETH', '2', '1'), balance('XRP', '4')];
      await refresh();
      const after = await versions();
      expect(Object.keys(after).sort()).toEqual(['BTC', 'ETH', 'XRP']);
      expect(after['BTC']).toBe(before['BTC']);
      expect(after['ETH']).not.toBe(before['ETH']);
      const { lastSyncAt } = await harness.get(Wallets).get(project, wallet.externalId);
      expect((await eventsOf()).map(({ data }) => data)).toMatchObject([
        { assets: ['BTC', 'ETH', 'SOL'] },
        {
          walletId: wallet.externalId,
          exchange: 'kraken',
          lastSyncAt: lastSyncAt?.toISOString(),
          assets: ['ETH', 'SOL', 'XRP'],
        },
      ]);
    });

    it('is one statement after one read when no balance has changed, and raises no event', async () => {
      harness.exchanges.balances = () => [balance('BTC', '1')];
      await refresh();
      const first = await harness.get(Wallets).get(project, wallet.externalId);
      const statements = await harness.statementsOf(async () => void (await refresh()));
      expect(statements.map((sql) => sql.trim().split(' ')[0])).toEqual(['select', 'with']);
      const second = await harness.get(Wallets).get(project, wallet.externalId);
      expect(second.lastSyncAt?.getTime()).toBeGreaterThan(first.lastSyncAt?.getTime() ?? Infinity);
      expect(second.nextSyncAt.getTime()).toBeGreaterThan(second.lastSyncAt?.getTime() ?? Infinity);
      expect(await eventsOf()).toHaveLength(1);
    });

    it('stores the response to the later request, even when it repeats the value that the earlier response replaced', async () => {
      harness.exchanges.balances = () => [balance('BTC', '1')];
      await refresh();
      const questions: ((answer: AssetBalance[]) => void)[] = [];
      const asked = (): Promise<{ refreshed: Promise<unknown> }> =>
        new Promise((resolve) => {
          harness.exchanges.balances = () =>
            new Promise<AssetBalance[]>((answer) => {
              questions.push(answer);
              resolve({ refreshed });
            });
          const refreshed = refresh();
        });
      const refreshes = [await asked(), await asked()];
      const [earlier, later] = questions;
      earlier?.([balance('BTC', '2')]);
      await refreshes[0]?.refreshed;
      later?.([balance('BTC', '1')]);
      await refreshes[1]?.refreshed;
      expect(texts(await balances.list(wallet))).toEqual(['BTC 1 0 1']);
      expect(await eventsOf()).toHaveLength(3);
    });

    it('does not happen when the credentials were replaced during the request', async () => {
      harness.exchanges.balances = async () => {
        harness.exchanges.balances = () => [balance('BTC', '2')];
        await harness.replaceCredentials(project, wallet);
        return [balance('BTC', '1')];
      };
      await refresh();
      expect(texts(await balances.list(wallet))).toEqual(['BTC 2 0 2']);
      expect(await eventsOf()).toHaveLength(1);
    });

    it('does not happen when the credentials were replaced during the request and no balances were read since', async () => {
      harness.exchanges.balances = async () => {
        await replaceCredentials(harness, project, wallet);
        return [balance('BTC', '1')];
      };
      await refresh();
      expect(await balances.list(wallet)).toEqual([]);
      expect((await harness.get(Wallets).get(project, wallet.externalId)).lastSyncAt).toBeNull();
    });

    it('raises at most one event for each stored response when calls run at once, and none when no balance has changed', async () => {
      let amount = 0;
      harness.exchanges.balances = () => [balance('BTC', String(1 + (amount++ % 3)))];
      for (let round = 0; round < 5; round++) await Promise.all(Array.from({ length: 6 }, refresh));
      const events = await eventsOf();
      expect(new Set(events.map(({ data }) => data['lastSyncAt'])).size).toBe(events.length);
      const [stored] = await balances.list(wallet);
      const eventCount = events.length;
      harness.exchanges.balances = () => (stored === undefined ? [] : [stored]);
      await refresh();
      expect(await eventsOf()).toHaveLength(eventCount);
    });
  });
});
