import { publishPrices } from '#market/testing';
import { Amount } from '#money';
import type { CacheDirectives } from '#platform/http';
import { WalletBalances } from '#wallet';
import { network, WithdrawalBed } from '../testing/index.js';
import { StoredNetworks } from './stored-networks.js';
import { WithdrawableBalance, type BalanceOptions, type WithdrawableBalances } from './withdrawable-balance.js';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

describe('what can be withdrawn', () => {
  let bed: WithdrawalBed;
  beforeAll(async () => (bed = await WithdrawalBed.create()));
  afterAll(() => bed.close());

  it('is asked anew unless what is stored is fresh enough', async () => {
    const read = (refreshAfterMinutes: number) =>
      bed.get(WithdrawableBalance).execute(bed.project, bed.wallet.walletId, { refreshAfterMinutes, autoDelete: true });
    bed.venue.balance = Amount.of('10');
    const first = await read(0);
    expect(first.balances.map(({ balance, networks }) => [balance.asset, networks.length])).toEqual([['BTC', 1]]);
    bed.venue.balance = Amount.of('7');
    bed.clock.advance(60_000);
    expect((await read(5)).balances[0]?.balance.free.toString()).toBe('10');
    expect((await read(1)).balances[0]?.balance.free.toString()).toBe('7');
    expect((await read(5)).lastSyncAt).toEqual(bed.clock.now());
  });

  it('is nothing where the exchange has no withdrawals, but the balances are shown', async () => {
    bed.venue.hasWithdrawals = false;
    const { balances } = await bed
      .get(WithdrawableBalance)
      .execute(bed.project, bed.wallet.walletId, { refreshAfterMinutes: 0, autoDelete: true });
    bed.venue.hasWithdrawals = true;
    expect(balances.map(({ balance, networks }) => [balance.asset, networks])).toEqual([['BTC', []]]);
  });

  it('has its value in US dollars where a price is known', async () => {
    const values = async () => {
      const { balances } = await bed
        .get(WithdrawableBalance)
        .execute(bed.project, bed.wallet.walletId, { refreshAfterMinutes: 0, autoDelete: true });
      return balances.map(({ freeInFiat }) => freeInFiat?.toString());
    };
    bed.venue.balance = Amount.of('7.5');
    expect(await values()).toEqual([undefined]);
    await publishPrices(bed.get, 'kraken', { BTC: '64000.1' });
    expect(await values()).toEqual(['480000.75']);
  });

  it('leaves out what is not free', async () => {
    bed.venue.balance = Amount.zero;
    const { balances } = await bed
      .get(WithdrawableBalance)
      .execute(bed.project, bed.wallet.walletId, { refreshAfterMinutes: 0, autoDelete: true });
    expect(balances).toEqual([]);
  });
});

describe('what is stored of what can be withdrawn', () => {
  let bed: WithdrawalBed;
  beforeAll(async () => {
    bed = await WithdrawalBed.create();
    bed.venue.networks.push({
      ...network('BTC', 'lightning', '^ln.+$', null),
      minWithdrawal: Amount.of('0.00000001'),
      maxWithdrawal: null,
      fee: null,
    });
  });
  afterAll(() => bed.close());
  beforeEach(async () => {
    bed.venue.isDown = false;
    bed.venue.balance = Amount.of('10');
    await bed.newWallet();
  });

  const read = (
    cache: Partial<CacheDirectives> = {},
    more: Partial<BalanceOptions> = {},
  ): Promise<WithdrawableBalances> =>
    bed.get(WithdrawableBalance).execute(bed.project, bed.wallet.walletId, {
      autoDelete: false,
      cache: { onlyIfCached: false, noCache: false, maxAgeMs: null, ...cache },
      ...more,
    });
  const readStored = (more: Partial<CacheDirectives> = {}, options: Partial<BalanceOptions> = {}) =>
    read({ onlyIfCached: true, ...more }, options);
  const free = ({ balances }: WithdrawableBalances): unknown[] =>
    balances.map(({ balance }) => balance.free.toString());

  it('answers the same as the exchange did, without it, and says how old it is', async () => {
    const asked = await read();
    bed.venue.isDown = true;
    bed.clock.advance(HOUR_MS - 1);
    const stored = await readStored();
    expect(JSON.stringify(stored.balances)).toBe(JSON.stringify(asked.balances));
    expect(stored.balances[0]?.networks.map(({ id }) => id)).toEqual(['bitcoin', 'lightning']);
    expect([asked.storedAt, stored.storedAt]).toEqual([null, asked.lastSyncAt]);
    bed.clock.advance(1);
    await expect(readStored()).rejects.toMatchObject({ code: 'CACHE_EXPIRED' });
  });

  it('is nothing before the networks were asked for once, although balances are there', async () => {
    await expect(readStored()).rejects.toMatchObject({ code: 'CACHE_MISS' });
    await bed.get(WalletBalances).refresh(bed.wallet, { autoDelete: false });
    await expect(readStored()).rejects.toMatchObject({ code: 'CACHE_MISS' });
    await read();
    expect(free(await readStored())).toEqual(['10']);
  });

  it('is as old as its oldest part', async () => {
    const { lastSyncAt } = await read();
    bed.clock.advance(10 * MINUTE_MS);
    await bed.get(WalletBalances).refresh(bed.wallet, { autoDelete: false });
    expect((await readStored()).storedAt).toEqual(lastSyncAt);
    await expect(readStored({ maxAgeMs: 5 * MINUTE_MS })).rejects.toMatchObject({ code: 'CACHE_EXPIRED' });
  });

  it('is nothing once the credentials were replaced: it may be what another account had', async () => {
    await read();
    bed.clock.advance(1);
    await bed.db.query(`update wallet_credentials set updated_at = $2 where wallet_id = $1`, [
      bed.wallet.id,
      bed.clock.now(),
    ]);
    bed.venue.balance = Amount.of('3');
    await expect(readStored()).rejects.toMatchObject({ code: 'CACHE_MISS' });
    expect(free(await read({ maxAgeMs: HOUR_MS }))).toEqual(['3']);
  });

  it.each<[string, Partial<CacheDirectives>, Partial<BalanceOptions>, 'stored' | 'asked']>([
    ['nothing', {}, {}, 'asked'],
    ['an age that it has not reached', { maxAgeMs: 11 * MINUTE_MS }, {}, 'stored'],
    ['an age that it has passed', { maxAgeMs: 9 * MINUTE_MS }, {}, 'asked'],
    ['a threshold that it has not reached', {}, { refreshAfterMinutes: 11 }, 'stored'],
    ['an age and a stricter threshold', { maxAgeMs: 11 * MINUTE_MS }, { refreshAfterMinutes: 9 }, 'asked'],
    ['a threshold and a stricter age', { maxAgeMs: 9 * MINUTE_MS }, { refreshAfterMinutes: 11 }, 'asked'],
    ['no-cache and an age', { noCache: true, maxAgeMs: 11 * MINUTE_MS }, { refreshAfterMinutes: 11 }, 'asked'],
  ])('after ten minutes, suffices or not for %s', async (_, cache, options, expected) => {
    await read();
    bed.venue.balance = Amount.of('7');
    bed.clock.advance(10 * MINUTE_MS);
    if (expected === 'asked' && (cache.maxAgeMs !== undefined || cache.noCache === true)) {
      await expect(readStored(cache, options)).rejects.toMatchObject({ code: 'CACHE_EXPIRED' });
    }
    expect(free(await read(cache, options))).toEqual([expected === 'stored' ? '10' : '7']);
  });

  it('is never older than what stands there: the answer to an earlier question changes nothing', async () => {
    const stored = bed.get(StoredNetworks);
    const bitcoin = [network('BTC', 'bitcoin', '^.+$', null)];
    const [earlier, now, later] = [-1, 0, 1].map((ms) => new Date(bed.clock.now().getTime() + ms)) as [
      Date,
      Date,
      Date,
    ];
    await stored.record(bed.wallet, bitcoin, now);
    await stored.record(bed.wallet, [], earlier);
    await stored.record(bed.wallet, bitcoin, earlier);
    expect(await stored.find(bed.wallet)).toEqual({ networks: bitcoin, fetchedAt: now });
    await stored.record(bed.wallet, bitcoin, later);
    expect(await stored.find(bed.wallet)).toEqual({ networks: bitcoin, fetchedAt: later });
    await stored.record(bed.wallet, [], later);
    expect(await stored.find(bed.wallet)).toEqual({ networks: [], fetchedAt: later });
  });
});
