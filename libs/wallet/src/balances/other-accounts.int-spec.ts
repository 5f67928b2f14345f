import type { ProjectIdentity } from '#access';
import { withdrawableOf, type AssetBalance, type OtherAccount } from '#exchange';
import { Amount } from '#money';
import { connectedWallet } from '../testing/connected-wallet.js';
import { createWalletHarness, type WalletHarness } from '../testing/wallet-harness.js';
import type { Wallet } from '../wallets/wallet.entity.js';
import { WalletBalances } from './wallet-balances.service.js';

const MINUTE_MS = 60_000;

function spot(asset: string, free: string): AssetBalance {
  return { asset, free: Amount.of(free), used: Amount.zero, total: Amount.of(free) };
}

function held(account: string, asset: string, free: string): AssetBalance {
  const amount = Amount.of(free);
  const elsewhere = [{ account, kind: 'free' as const, amount }];
  return { ...spot(asset, free), withdrawable: Amount.zero, elsewhere };
}

const account = (name: string, ...balances: AssetBalance[]): OtherAccount => ({ name, balances, unread: [] });
const unread = (name: string): OtherAccount => ({
  name,
  balances: null,
  unread: [{ account: name, reason: 'unavailable' }],
});

describe('the other accounts of an owner', () => {
  let harness: WalletHarness;
  let balances: WalletBalances;
  let project: ProjectIdentity;
  let wallet: Wallet;
  let own: AssetBalance[];
  let answer: OtherAccount[];
  let readings: number;

  beforeAll(async () => {
    harness = await createWalletHarness();
    balances = harness.get(WalletBalances);
  });
  afterAll(() => harness.close());
  beforeEach(async () => {
    harness.exchanges.reset();
    project = await harness.project('test');
    wallet = await connectedWallet(harness.db, project, { vault: harness.vault });
    [own, answer, readings] = [[spot('BTC', '1')], [], 0];
    harness.exchanges.balances = () => own;
    harness.exchanges.capabilities = () => ({
      otherAccounts: () => {
        readings++;
        return Promise.resolve(answer);
      },
    });
  });

  const refresh = (): Promise<AssetBalance[]> => balances.refresh(wallet, { autoDelete: true });
  const shown = async (): Promise<string[]> =>
    (await balances.list(wallet)).map((each) => `${each.asset} ${each.total} ${withdrawableOf(each)}`);

  it('add to the balances, and nothing of them can be withdrawn', async () => {
    answer = [account('margin', held('margin', 'BTC', '2'), held('margin', 'ETH', '3'))];
    await refresh();
    expect(await shown()).toEqual(['BTC 3 1', 'ETH 3 0']);
    expect((await balances.list(wallet))[0]?.elsewhere).toEqual([
      { account: 'margin', kind: 'free', amount: Amount.of('2') },
    ]);
    expect(await balances.unread(wallet)).toEqual([]);
  });

  it('are read again after an hour, after a minute if the own balances have changed, and not before', async () => {
    answer = [account('margin', held('margin', 'BTC', '2'))];
    await refresh();
    harness.clock.advance(59 * MINUTE_MS);
    await refresh();
    expect([readings, await shown()]).toEqual([1, ['BTC 3 1']]);
    harness.clock.advance(MINUTE_MS);
    await refresh();
    own = [spot('BTC', '3')];
    await refresh();
    expect([readings, await shown()]).toEqual([2, ['BTC 5 3']]);
    harness.clock.advance(MINUTE_MS);
    answer = [account('margin')];
    await refresh();
    expect([readings, await shown()]).toEqual([3, ['BTC 3 3']]);
  });

  it('keep the last known amounts and are named while they cannot be read, and are tried again', async () => {
    answer = [account('margin', held('margin', 'BTC', '2')), account('earn', held('earn', 'ETH', '1'))];
    await refresh();
    answer = [unread('margin'), account('earn', { ...held('earn', 'ETH', '0'), isPartial: true })];
    harness.clock.advance(60 * MINUTE_MS);
    await refresh();
    expect(await shown()).toEqual(['BTC 3 1', 'ETH 1 0']);
    expect(await balances.unread(wallet)).toEqual([{ account: 'margin', reason: 'unavailable' }]);
    answer = [account('margin'), account('earn')];
    harness.clock.advance(5 * MINUTE_MS);
    await refresh();
    expect(await shown()).toEqual(['BTC 1 1']);
    expect(await balances.unread(wallet)).toEqual([]);
  });

  it('are those of the present credentials', async () => {
    answer = [account('margin', held('margin', 'BTC', '2')), unread('earn')];
    await refresh();
    answer = [account('margin', held('margin', 'BTC', '7'))];
    await harness.replaceCredentials(project, wallet);
    expect([readings, await shown()]).toEqual([2, ['BTC 8 1']]);
    expect(await balances.unread(wallet)).toEqual([]);
  });
});
