import { DataSource } from 'typeorm';
import type { WithdrawalNetwork } from '#exchange';
import { publishPrices } from '#market/testing';
import { Amount } from '#money';
import { DAY_MS } from '#platform/clock';
import type { CacheDirectives } from '#platform/http';
import { WalletBalances } from '#wallet';
import { network, WithdrawalHarness } from '../testing/index.js';
import { StoredNetworks } from './stored-networks.js';
import { WithdrawableBalance, type BalanceOptions, type WithdrawableBalances } from './withdrawable-balance.js';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

describe('the withdrawable balance', () => {
  let harness: WithdrawalHarness;
  beforeAll(async () => (harness = await WithdrawalHarness.create()));
  afterAll(() => harness.close());

  it('is read from the exchange unless the stored balance is recent enough', async () => {
    const read = (refreshAfterMinutes: number) =>
      harness
        .get(WithdrawableBalance)
        .execute(harness.project, harness.wallet.externalId, { refreshAfterMinutes, autoDelete: true });
    harness.exchange.balance = Amount.of('10');
    const first = await read(0);
    expect(first.balances.map(({ balance, networks }) => [balance.asset, networks.length])).toEqual([['BTC', 1]]);
    harness.exchange.balance = Amount.of('7');
    harness.clock.advance(60_000);
    expect((await read(5)).balances[0]?.balance.free.toString()).toBe('10');
    expect((await read(1)).balances[0]?.balance.free.toString()).toBe('7');
    expect((await read(5)).lastSyncAt).toEqual(harness.clock.now());
  });

  it('has no networks where the exchange has no withdrawals, but shows the balances', async () => {
    harness.exchange.hasWithdrawals = false;
    const { balances } = await harness
      .get(WithdrawableBalance)
      .execute(harness.project, harness.wallet.externalId, { refreshAfterMinutes: 0, autoDelete: true });
    harness.exchange.hasWithdrawals = true;
    expect(balances.map(({ balance, networks }) => [balance.asset, networks])).toEqual([['BTC', []]]);
  });

  it('has the value in US dollars of the part that can be withdrawn, where a price is known', async () => {
    const values = async () => {
      const { balances } = await harness
        .get(WithdrawableBalance)
        .execute(harness.project, harness.wallet.externalId, { refreshAfterMinutes: 0, autoDelete: true });
      return balances.map(({ amountInFiat }) => amountInFiat?.toString());
    };
    harness.exchange.balance = Amount.of('7.5');
    expect(await values()).toEqual([undefined]);
    await publishPrices(harness.get, 'kraken', { BTC: '64000.1' });
    expect(await values()).toEqual(['480000.75']);
    harness.exchange.withdrawable = Amount.of('0.5');
    expect(await values()).toEqual(['32000.05']);
    harness.exchange.withdrawable = undefined;
  });

  it('leaves out an asset without a free amount', async () => {
    harness.exchange.balance = Amount.zero;
    const { balances } = await harness
      .get(WithdrawableBalance)
      .execute(harness.project, harness.wallet.externalId, { refreshAfterMinutes: 0, autoDelete: true });
    expect(balances).toEqual([]);
  });
});

describe('the stored withdrawable balance', () => {
  let harness: WithdrawalHarness;
  beforeAll(async () => {
    harness = await WithdrawalHarness.create();
    harness.exchange.networks.push({
      ...network('BTC', 'lightning', '^ln.+$', null),
      minWithdrawal: Amount.of('0.00000001'),
      maxWithdrawal: null,
      fee: null,
    });
  });
  afterAll(() => harness.close());
  beforeEach(async () => {
    harness.exchange.isDown = false;
    harness.exchange.balance = Amount.of('10');
    await harness.newWallet();
  });

  const read = (
    cache: Partial<CacheDirectives> = {},
    more: Partial<BalanceOptions> = {},
  ): Promise<WithdrawableBalances> =>
    harness.get(WithdrawableBalance).execute(harness.project, harness.wallet.externalId, {
      autoDelete: false,
      cache: { onlyIfCached: false, noCache: false, maxAgeMs: null, ...cache },
      ...more,
    });
  const readStored = (more: Partial<CacheDirectives> = {}, options: Partial<BalanceOptions> = {}) =>
    read({ onlyIfCached: true, ...more }, options);
  const credentialVersion = async (): Promise<string> => {
    const [row] = await harness.db.query<{ id: string }>(
      `select sealed->>'id' as id from wallet_credentials where wallet_id = $1`,
      [harness.wallet.id],
    );
    return row?.id ?? '';
  };
  const free = ({ balances }: WithdrawableBalances): unknown[] =>
    balances.map(({ balance }) => balance.free.toString());

  it('is returned for an hour as the exchange returned it, with its age', async () => {
    const asked = await read();
    harness.exchange.isDown = true;
    harness.clock.advance(HOUR_MS - 1);
    const stored = await readStored();
    expect(JSON.stringify(stored.balances)).toBe(JSON.stringify(asked.balances));
    expect(stored.balances[0]?.networks.map(({ id }) => id)).toEqual(['bitcoin', 'lightning']);
    expect([asked.storedAt, stored.storedAt]).toEqual([null, asked.lastSyncAt]);
    harness.clock.advance(1);
    await expect(readStored()).rejects.toMatchObject({ code: 'CACHE_EXPIRED' });
  });

  it('is missing before the networks were read once, although balances are stored', async () => {
    await expect(readStored()).rejects.toMatchObject({ code: 'CACHE_MISS' });
    await harness.get(WalletBalances).refresh(harness.wallet, { autoDelete: false });
    await expect(readStored()).rejects.toMatchObject({ code: 'CACHE_MISS' });
    await read();
    expect(free(await readStored())).toEqual(['10']);
  });

  it('has the age of its balances, and uses stored networks for a day', async () => {
    await read();
    harness.clock.advance(DAY_MS - MINUTE_MS);
    await expect(readStored()).rejects.toMatchObject({ code: 'CACHE_EXPIRED' });
    const syncedAt = harness.clock.now();
    await harness.get(WalletBalances).refresh(harness.wallet, { autoDelete: false });
    expect((await readStored({ maxAgeMs: MINUTE_MS })).storedAt).toEqual(syncedAt);
    harness.clock.advance(MINUTE_MS);
    await expect(readStored({ maxAgeMs: HOUR_MS })).rejects.toMatchObject({ code: 'CACHE_EXPIRED' });
    // The networks are read again although the balances are recent enough.
    expect((await read({}, { refreshAfterMinutes: 5 })).storedAt).toEqual(syncedAt);
    expect((await readStored({ maxAgeMs: HOUR_MS })).storedAt).toEqual(syncedAt);
  });

  it('is stored with the time at which the session read the networks', async () => {
    const readAt = new Date(harness.clock.now().getTime() - 299_000);
    harness.exchange.networksReadAt = readAt;
    await read();
    harness.exchange.networksReadAt = null;
    expect(await harness.get(StoredNetworks).find(harness.wallet)).toMatchObject({ readAt });
  });

  it('is not returned because of a max-age alone, which a proxy may have added', async () => {
    await read();
    harness.exchange.balance = Amount.of('0.5');
    harness.clock.advance(48 * HOUR_MS);
    expect(free(await read({ maxAgeMs: 72 * HOUR_MS }))).toEqual(['0.5']);
  });

  it('is missing once the credentials were replaced, because it may be that of another account', async () => {
    await read();
    harness.clock.advance(1);
    await harness.db.query(`update wallet_credentials set updated_at = $2 where wallet_id = $1`, [
      harness.wallet.id,
      harness.clock.now(),
    ]);
    harness.exchange.balance = Amount.of('3');
    await expect(readStored()).rejects.toMatchObject({ code: 'CACHE_MISS' });
    expect(free(await read({ maxAgeMs: HOUR_MS }, { refreshAfterMinutes: 60 }))).toEqual(['3']);
  });

  it.each<[string, Partial<CacheDirectives>, Partial<BalanceOptions>, 'stored' | 'asked']>([
    ['read again for a request with neither a max-age nor a threshold', {}, {}, 'asked'],
    [
      'read again for a request with a max-age that it has not reached, and no threshold',
      { maxAgeMs: 11 * MINUTE_MS },
      {},
      'asked',
    ],
    [
      'returned for a request with a max-age and a threshold that it has not reached',
      { maxAgeMs: 11 * MINUTE_MS },
      { refreshAfterMinutes: 12 },
      'stored',
    ],
    ['read again for a request with a max-age that it has passed', { maxAgeMs: 9 * MINUTE_MS }, {}, 'asked'],
    ['returned for a request with a threshold that it has not reached', {}, { refreshAfterMinutes: 11 }, 'stored'],
    [
      'read again for a request with a threshold that it has passed and a max-age that it has not',
      { maxAgeMs: 11 * MINUTE_MS },
      { refreshAfterMinutes: 9 },
      'asked',
    ],
    [
      'read again for a request with a max-age that it has passed and a threshold that it has not',
      { maxAgeMs: 9 * MINUTE_MS },
      { refreshAfterMinutes: 11 },
      'asked',
    ],
    [
      'read again for a request with no-cache, even with a max-age and a threshold that it has not reached',
      { noCache: true, maxAgeMs: 11 * MINUTE_MS },
      { refreshAfterMinutes: 11 },
      'asked',
    ],
  ])('that is ten minutes old is %s', async (_, cache, options, expected) => {
    await read();
    harness.exchange.balance = Amount.of('7');
    harness.clock.advance(10 * MINUTE_MS);
    expect(free(await read(cache, options))).toEqual([expected === 'stored' ? '10' : '7']);
  });

  it.each<[string, Partial<CacheDirectives>, Partial<BalanceOptions>, boolean]>([
    ['returned without a max-age and a threshold', {}, {}, true],
    ['returned for a max-age that it has not reached', { maxAgeMs: 11 * MINUTE_MS }, {}, true],
    ['refused for a max-age that it has passed', { maxAgeMs: 9 * MINUTE_MS }, {}, false],
    [
      'refused for a threshold that it has passed and a max-age that it has not',
      { maxAgeMs: 11 * MINUTE_MS },
      { refreshAfterMinutes: 9 },
      false,
    ],
    [
      'refused for a max-age that it has passed and a threshold that it has not',
      { maxAgeMs: 9 * MINUTE_MS },
      { refreshAfterMinutes: 11 },
      false,
    ],
    ['refused for no-cache', { noCache: true }, {}, false],
  ])('that is ten minutes old is, with only-if-cached, %s', async (_, cache, options, isAnswered) => {
    await read();
    harness.clock.advance(10 * MINUTE_MS);
    const answer = readStored(cache, options);
    await (isAnswered
      ? expect(answer).resolves.toMatchObject({ balances: [{}] })
      : expect(answer).rejects.toMatchObject({ code: 'CACHE_EXPIRED' }));
  });

  it('is not overwritten by the response to an earlier request', async () => {
    const stored = harness.get(StoredNetworks);
    const bitcoin = [network('BTC', 'bitcoin', '^.+$', null)];
    const [earlier, now, later] = [-1, 0, 1].map((ms) => new Date(harness.clock.now().getTime() + ms)) as [
      Date,
      Date,
      Date,
    ];
    const version = await credentialVersion();
    const record = (networks: WithdrawalNetwork[], readAt: Date): Promise<void> =>
      stored.record(harness.wallet, { networks, readAt }, version);
    await record(bitcoin, now);
    await record([], earlier);
    await record(bitcoin, earlier);
    expect(await stored.find(harness.wallet)).toEqual({ networks: bitcoin, readAt: now });
    await record(bitcoin, later);
    expect(await stored.find(harness.wallet)).toEqual({ networks: bitcoin, readAt: later });
    await record([], new Date(later.getTime() + 1));
    expect(await stored.find(harness.wallet)).toMatchObject({ networks: [] });
  });

  it('counts as old and is replaced when its time is far in the future, because a clock was ahead', async () => {
    harness.exchange.networksReadAt = new Date(harness.clock.now().getTime() + 2 * DAY_MS);
    await read();
    await expect(readStored()).rejects.toMatchObject({ code: 'CACHE_EXPIRED' });
    harness.exchange.networksReadAt = null;
    await read();
    expect(free(await readStored())).toEqual(['10']);
  });

  it('is not stored, without an error, while another transaction locks the wallet', async () => {
    const stored = harness.get(StoredNetworks);
    const version = await credentialVersion();
    const other = harness.get(DataSource).createQueryRunner();
    await other.startTransaction();
    await other.query('select from wallets where id = $1 for no key update', [harness.wallet.id]);
    await stored.record(harness.wallet, { networks: [], readAt: harness.clock.now() }, version);
    await other.rollbackTransaction();
    await other.release();
    expect(await stored.find(harness.wallet)).toBeNull();
  });

  it('is kept only for the credentials that read it, and not for a deleted wallet', async () => {
    const stored = harness.get(StoredNetworks);
    const networks = [network('BTC', 'bitcoin', '^.+$', null)];
    const readAt = new Date(harness.clock.now().getTime() + HOUR_MS);
    const version = await credentialVersion();
    await stored.record(harness.wallet, { networks, readAt }, 'replaced meanwhile');
    expect(await stored.find(harness.wallet)).toBeNull();
    await stored.record(harness.wallet, { networks, readAt }, version);
    await harness.db.query(`update wallet_networks set credential_version = 'of before' where wallet_id = $1`, [
      harness.wallet.id,
    ]);
    expect(await stored.find(harness.wallet)).toBeNull();
    await stored.record(harness.wallet, { networks: [], readAt: harness.clock.now() }, version);
    expect(await stored.find(harness.wallet)).toMatchObject({ networks: [] });
    await stored.record(harness.wallet, { networks, readAt }, 'replaced meanwhile');
    expect(await stored.find(harness.wallet)).toMatchObject({ networks: [] });

    await harness.db.query(`update wallets set deleted_at = $2 where id = $1`, [harness.wallet.id, readAt]);
    await stored.record(harness.wallet, { networks, readAt }, version);
    expect(await harness.db.query(`select from wallet_networks where wallet_id = $1`, [harness.wallet.id])).toEqual([]);
  });
});
