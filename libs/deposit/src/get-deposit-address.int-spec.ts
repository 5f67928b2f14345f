import { DataSource } from 'typeorm';
import type { ProjectIdentity } from '#access';
import {
  ExchangeError,
  ProviderError,
  type DepositCapability,
  type DepositMethod,
  type ReceivingAddress,
} from '#exchange';
import { Amount } from '#money';
import { DAY_MS } from '#platform/clock';
import type { CacheDirectives } from '#platform/http';
import { until } from '#platform/testing';
import type { Wallet } from '#wallet';
import { connectedWallet, createWalletHarness, type WalletHarness } from '#wallet/testing';
import { DepositModule } from './deposit.module.js';
import { GetDepositAddress, type AddressQuestion, type GivenAddress } from './get-deposit-address.js';

const HOUR_MS = 3_600_000;
const ASK: CacheDirectives = { onlyIfCached: false, noCache: false, maxAgeMs: null };
const STORED: CacheDirectives = { ...ASK, onlyIfCached: true };
const ADDRESSES = ['a', 'b', 'c', 'd'].map((digit) => `0x${digit.repeat(40)}`);

function method(asset: string, network: string, more: Partial<DepositMethod> = {}): DepositMethod {
  const none = { tagType: null, minimum: null, fee: null, limit: null };
  return { asset, network, exchangeMethodId: `${asset} by ${network}`, ...none, canGenerateAddress: true, ...more };
}

function address(text: string | undefined, more: Partial<ReceivingAddress> = {}): ReceivingAddress {
  return { address: text ?? 'no more addresses', tag: null, expiresAt: null, ...more };
}

/** The deposit capability of one account. */
class Account implements DepositCapability {
  listed = [method('ETH', 'ethereum'), method('ETH', 'arbitrum')];
  existing: Record<string, ReceivingAddress[]> = {};
  made = 0;
  questions = 0;
  listings = 0;
  /** Called before the exchange responds. */
  before: () => Promise<void> = () => Promise.resolve();

  async methods(asset: string): Promise<DepositMethod[]> {
    this.questions++;
    await this.before();
    return this.listed.filter((one) => one.asset === asset);
  }

  async addresses({ exchangeMethodId }: DepositMethod): Promise<ReceivingAddress[]> {
    this.listings++;
    await this.before();
    return this.existing[exchangeMethodId] ?? [];
  }

  create? = async ({ exchangeMethodId }: DepositMethod): Promise<ReceivingAddress> => {
    const created = address(ADDRESSES[this.made++]);
    await this.before();
    this.existing[exchangeMethodId] = [created, ...(this.existing[exchangeMethodId] ?? [])];
    return created;
  };
}

describe('a deposit address', () => {
  let harness: WalletHarness;
  let project: ProjectIdentity;
  let wallet: Wallet;
  let account: Account;

  beforeAll(async () => {
    harness = await createWalletHarness({ imports: [{ module: DepositModule }] });
  });
  afterAll(() => harness.close());
  afterEach(() => Reflect.deleteProperty(harness.clock, 'sleep'));
  beforeEach(async () => {
    harness.exchanges.reset();
    account = new Account();
    harness.exchanges.capabilities = () => ({ deposits: account });
    project = await harness.project('test');
    wallet = await connectedWallet(harness.db, project, { vault: harness.vault });
  });
  const inMs = (ms: number): Date => new Date(harness.clock.now().getTime() + ms);
  const get = (more: Partial<AddressQuestion> = {}): Promise<GivenAddress> =>
    harness.get(GetDepositAddress).execute(project, wallet.externalId, {
      asset: 'eth',
      network: 'ethereum',
      policy: 'reuse_or_create',
      cache: ASK,
      ...more,
    });
  const code = async (more: Partial<AddressQuestion> = {}): Promise<string> => {
    const outcome = await get(more).catch((error: unknown) => error);
    return outcome instanceof Error && 'code' in outcome ? String(outcome.code) : `answered ${JSON.stringify(outcome)}`;
  };

  it('is requested once, and then returned from the stored row with every digit of its amounts', async () => {
    const [minimum, fee, limit] = ['0.000000000000000001', '0', '123456789012345678901'].map((text) => Amount.of(text));
    account.listed = [method('ETH', 'ethereum', { minimum, fee, limit, canGenerateAddress: false })];
    const expiresAt = new Date(harness.clock.now().getTime() + DAY_MS);
    account.existing['ETH by ethereum'] = [address(ADDRESSES[0], { expiresAt })];
    const asked = await get();
    expect(asked).toMatchObject({ asset: 'ETH', network: 'ethereum', exchange: 'kraken', isCached: false, expiresAt });
    expect(await get()).toEqual({ ...asked, isCached: true });
    expect(JSON.stringify([asked.minimum, asked.fee, asked.limit])).toBe(JSON.stringify([minimum, fee, limit]));
    expect(account.questions).toBe(1);
  });

  it('is requested again when the stored address is too old for the setting or the request, or with no-cache', async () => {
    await get();
    harness.clock.advance(5_000);
    expect(await get({ cache: { ...ASK, maxAgeMs: 60_000 } })).toMatchObject({ isCached: true });
    expect(await get({ cache: { ...ASK, maxAgeMs: 1_000 } })).toMatchObject({ isCached: false });
    expect(await get({ cache: { ...ASK, noCache: true } })).toMatchObject({ isCached: false });
    harness.clock.advance(HOUR_MS);
    expect(await get({ cache: { ...ASK, maxAgeMs: 10 * DAY_MS } })).toMatchObject({ isCached: false });
  });

  it('is never returned once it has expired, stored or not', async () => {
    forbid(account);
    account.existing['ETH by ethereum'] = [address(ADDRESSES[3], { expiresAt: inMs(60_000) })];
    expect(await get()).toMatchObject({ address: ADDRESSES[3] });
    harness.clock.advance(60_000);
    expect(await code({ cache: STORED })).toBe('CACHE_EXPIRED');
    for (const policy of ['reuse_only', 'reuse_or_create'] as const) {
      expect(await code({ policy })).toBe('DEPOSIT_ADDRESS_UNAVAILABLE');
    }
  });

  it('that expires before a transfer can arrive is returned only if no other exists or can be created, and never from the stored row', async () => {
    const expiresAt = inMs(HOUR_MS);
    account.existing['ETH by ethereum'] = [address(ADDRESSES[3], { expiresAt })];
    expect(await get({ policy: 'reuse_only' })).toMatchObject({ address: ADDRESSES[3], expiresAt });
    expect(await code({ cache: STORED })).toBe('CACHE_EXPIRED');
    expect(await get()).toMatchObject({ address: ADDRESSES[0], expiresAt: null });
    expect(account.made).toBe(1);

    account.existing['ETH by arbitrum'] = [address(ADDRESSES[2], { expiresAt: inMs(HOUR_MS + 60_000) })];
    expect(await get({ network: 'arbitrum' })).toMatchObject({ address: ADDRESSES[2] });
    expect(await get({ network: 'arbitrum' })).toMatchObject({ address: ADDRESSES[2], isCached: true });
    harness.clock.advance(60_000);
    expect(await get({ network: 'arbitrum' })).toMatchObject({ address: ADDRESSES[1], isCached: false });

    forbid(account);
    account.existing['ETH by arbitrum'] = [address(ADDRESSES[2], { expiresAt: inMs(1_000) })];
    expect(await get({ network: 'arbitrum', cache: { ...ASK, noCache: true } })).toMatchObject({
      address: ADDRESSES[2],
    });
  });

  it('is never returned once the credentials were replaced', async () => {
    await get();
    await harness.replaceCredentials(project, wallet);
    account.existing['ETH by ethereum'] = [address(ADDRESSES[2])];
    expect(await code({ cache: STORED })).toBe('CACHE_MISS');
    expect(await get()).toMatchObject({ address: ADDRESSES[2], isCached: false });
  });

  it('is not stored when the credentials were replaced during the request, whatever the time of the replacement', async () => {
    await get({ network: 'arbitrum' });
    account.before = async () => {
      account.before = () => Promise.resolve();
      await harness.replaceCredentials(project, wallet);
      // The new credentials have a time before the request for the address: the transaction that stored them began
      // before the request, or the clock of its host is behind.
      await harness.db.query(`update wallet_credentials set updated_at = $2 where wallet_id = $1`, [
        wallet.id,
        inMs(-1_000),
      ]);
    };
    await get({ network: 'arbitrum', cache: { ...ASK, noCache: true } });
    expect(await code({ network: 'arbitrum', cache: STORED })).toBe('CACHE_MISS');
    account.existing['ETH by arbitrum'] = [address(ADDRESSES[3])];
    expect(await get({ network: 'arbitrum' })).toMatchObject({ address: ADDRESSES[3] });
    expect(await get({ network: 'arbitrum' })).toMatchObject({ address: ADDRESSES[3], isCached: true });
  });

  const deleteWallet = (): Promise<unknown> =>
    harness.db.query(`update wallets set deleted_at = $2 where id = $1`, [wallet.id, harness.clock.now()]);

  it('is erased with the wallet, and is not stored for a wallet that was deleted during the request', async () => {
    await get();
    await deleteWallet();
    wallet = await connectedWallet(harness.db, project, { vault: harness.vault });
    account.before = async () => {
      account.before = () => Promise.resolve();
      await deleteWallet();
    };
    await get();
    for (const table of ['deposit_addresses', 'deposit_locks']) {
      const left = await harness.db.query(
        `select from ${table} join wallets w on w.id = ${table}.wallet_id where w.project_id = $1`,
        [project.id],
      );
      expect(left).toEqual([]);
    }
  });

  it('is on the requested network, even after the exchange has moved an address between networks with the same address format', async () => {
    account.existing['ETH by ethereum'] = [address(ADDRESSES[0])];
    expect(await get()).toMatchObject({ network: 'ethereum', address: ADDRESSES[0] });
    // The exchange now assigns ADDRESSES[0] to Arbitrum, and another address to Ethereum.
    account.existing = { 'ETH by arbitrum': [address(ADDRESSES[0])], 'ETH by ethereum': [address(ADDRESSES[1])] };
    expect(await code({ network: 'arbitrum', cache: STORED })).toBe('CACHE_MISS');
    expect(await get({ network: 'arbitrum' })).toMatchObject({
      network: 'arbitrum',
      address: ADDRESSES[0],
      exchangeMethodId: 'ETH by arbitrum',
    });
    expect(await get({ cache: { ...ASK, noCache: true } })).toMatchObject({
      network: 'ethereum',
      address: ADDRESSES[1],
      exchangeMethodId: 'ETH by ethereum',
    });
    expect(await get({ network: 'ERC20' })).toMatchObject({
      network: 'ethereum',
      address: ADDRESSES[1],
      isCached: true,
    });
  });

  it('is new at each call with create_new, and is reused by later calls', async () => {
    await get();
    expect(await get({ policy: 'create_new' })).toMatchObject({ address: ADDRESSES[1], isCached: false });
    expect(await get({ policy: 'create_new' })).toMatchObject({ address: ADDRESSES[2], isCached: false });
    expect(await get({ policy: 'reuse_only' })).toMatchObject({ address: ADDRESSES[2], isCached: true });
    expect(await code({ policy: 'create_new', cache: STORED })).toBe('CACHE_MISS');
  });

  it('is created by one of many concurrent calls, and the others do not query the exchange for its addresses', async () => {
    const sleep = harness.clock.sleep.bind(harness.clock);
    const pauses: number[] = [];
    harness.clock.sleep = (ms, signal) => {
      pauses.push(ms);
      return sleep(ms, signal);
    };
    const list = account.addresses.bind(account);
    account.addresses = async (asked) => {
      // Each of the other calls makes its first pause when it finds that the lock is not free.
      await until('all calls have begun', () => pauses.filter((ms) => ms === 50).length === 7);
      return list(asked);
    };
    const answers = await Promise.all(Array.from({ length: 8 }, () => get()));
    expect(new Set(answers.map((answer) => answer.address))).toEqual(new Set([ADDRESSES[0]]));
    expect(account.made).toBe(1);
    expect(account.listings).toBe(1);
  });

  it('is created anew for each of several concurrent calls with create_new, one after the other', async () => {
    let running = 0;
    account.before = async () => {
      expect(++running).toBeLessThanOrEqual(1);
      await new Promise(setImmediate);
      running--;
    };
    account.methods = () => Promise.resolve(account.listed);
    const answers = await Promise.all(Array.from({ length: 3 }, () => get({ policy: 'create_new' })));
    expect(new Set(answers.map((answer) => answer.address)).size).toBe(3);
  });

  it('is created although the process that held the lock has died', async () => {
    await harness.db.query(`insert into deposit_locks values ($1, 'ETH', 'ethereum', $1, $2)`, [
      wallet.id,
      new Date(harness.clock.now().getTime() + DAY_MS),
    ]);
    harness.clock.sleep = (ms) => Promise.resolve(harness.clock.advance(ms));
    expect(await get()).toMatchObject({ address: ADDRESSES[0] });
  });

  it('is created for concurrent calls with create_new one after the other, however long each call takes', async () => {
    let [running, polls] = [0, 0];
    harness.clock.sleep = () => {
      polls++;
      return new Promise(setImmediate);
    };
    account.methods = () => Promise.resolve(account.listed);
    account.before = async () => {
      expect(++running).toBe(1);
      harness.clock.advance(4_000);
      const enough = polls + 2 * (ADDRESSES.length - account.made);
      const deadline = Date.now() + 2_000;
      while (polls < enough && Date.now() < deadline) await new Promise(setImmediate);
      running--;
    };
    const answers = await Promise.all(ADDRESSES.map(() => get({ policy: 'create_new' })));
    expect(new Set(answers.map((answer) => answer.address)).size).toBe(ADDRESSES.length);
  });

  it('is refused with a rate limit when the lock is not free in time', async () => {
    const hold = `insert into deposit_locks values ($1, 'ETH', 'ethereum', $2, $3)
      on conflict (wallet_id, asset, network) do update set holder = $2`;
    harness.clock.sleep = async (ms) => {
      harness.clock.advance(ms);
      await harness.db.query(hold, [wallet.id, harness.clock.newId(), inMs(DAY_MS)]);
    };
    await harness.clock.sleep(0);
    await expect(get()).rejects.toMatchObject({ code: 'GENERIC_RATE_LIMIT_EXCEEDED', retryAfterSeconds: 10 });
    expect(account.made).toBe(0);
  });

  it('is returned although it cannot be stored while another transaction locks the wallet', async () => {
    const other = harness.get(DataSource).createQueryRunner();
    await other.startTransaction();
    await other.query('select from wallets where id = $1 for no key update', [wallet.id]);
    expect(await get({ policy: 'create_new' })).toMatchObject({ address: ADDRESSES[0] });
    await other.rollbackTransaction();
    await other.release();
    expect(await code({ cache: STORED })).toBe('CACHE_MISS');
  });

  it('with a time in the future, from a wrong clock, counts as too old and is replaced', async () => {
    await get();
    await harness.db.query(`update deposit_addresses set fetched_at = $2 where wallet_id = $1`, [
      wallet.id,
      inMs(DAY_MS),
    ]);
    account.existing['ETH by ethereum'] = [address(ADDRESSES[1])];
    expect(await get()).toMatchObject({ address: ADDRESSES[1], isCached: false });
    expect(await get()).toMatchObject({ address: ADDRESSES[1], isCached: true });
  });

  it('that expires soon is returned where the exchange creates no more addresses, but not when the creation fails', async () => {
    account.existing['ETH by ethereum'] = [address(ADDRESSES[3], { expiresAt: inMs(60_000) })];
    account.create = () => Promise.reject(new ExchangeError('unavailable', 'kraken', 'scripted outage'));
    expect(await code()).toBe('WITHDRAWAL_PROVIDER_ERROR');
    const refusal = { code: 'WITHDRAWAL_TOO_MANY_ADDRESSES' } as const;
    account.create = () => Promise.reject(new ExchangeError('refused', 'kraken', 'scripted', refusal));
    expect(await get()).toMatchObject({ address: ADDRESSES[3] });
    harness.clock.advance(60_000);
    expect(await code()).toBe(refusal.code);
    expect(await code({ policy: 'create_new' })).toBe(refusal.code);
  });

  it.each<[string, string, Partial<AddressQuestion>, (account: Account) => void]>([
    ['DEPOSIT_ASSET_REQUIRED', 'without asset and network', { asset: undefined, network: undefined }, () => undefined],
    ['DEPOSIT_ASSET_REQUIRED', 'for an empty asset', { asset: '' }, () => undefined],
    ['DEPOSIT_NETWORK_REQUIRED', 'without a network', { network: undefined }, () => undefined],
    ['DEPOSIT_NETWORK_REQUIRED', 'for an empty network', { network: '' }, () => undefined],
    ['DEPOSIT_METHODS_UNAVAILABLE', 'for an asset without methods', { asset: 'BTC' }, () => undefined],
    ['DEPOSIT_METHOD_NOT_RESOLVED', 'for a network without a method', { network: 'polygon' }, () => undefined],
    [
      'DEPOSIT_METHOD_NOT_RESOLVED',
      'for a network with two methods',
      {},
      (it) => it.listed.push(method('ETH', 'ethereum', { exchangeMethodId: 'other' })),
    ],
    ['DEPOSIT_ADDRESS_UNAVAILABLE', 'when reuse_only finds no address', { policy: 'reuse_only' }, () => undefined],
    ['DEPOSIT_ADDRESS_UNAVAILABLE', 'when none can be created', {}, (it) => (it.create = undefined)],
    ['DEPOSIT_NOT_IMPLEMENTED', 'when none can be created', { policy: 'create_new' }, (it) => (it.create = undefined)],
    ['DEPOSIT_NOT_IMPLEMENTED', 'when the method allows no new one', { policy: 'create_new' }, forbid],
    ['DEPOSIT_ADDRESS_UNAVAILABLE', 'when the method allows no new one', {}, forbid],
    ['CACHE_MISS', 'for only-if-cached when none is stored', { cache: STORED }, () => undefined],
    ['CACHE_MISS', 'for only-if-cached and an unknown network', { cache: STORED, network: 'nope' }, () => undefined],
  ])('is refused with %s %s', async (expected, _when, question, arrange) => {
    arrange(account);
    expect(await code(question)).toBe(expected);
    expect(account.made).toBe(0);
  });

  it.each([
    ['DEPOSIT_ADDRESS_UNAVAILABLE', 'all addresses lack their tag', 'DEPOSIT_ADDRESS_UNAVAILABLE', 'tag_missing'],
    // www.kucoin.com/docs-new/rest/account-info/deposit/get-deposit-address-v3: 900014 "Invalid chainId"
    ['DEPOSIT_METHODS_UNAVAILABLE', 'the network is unknown', 'WITHDRAWAL_NETWORK_NOT_SUPPORTED', 'unknown_network'],
  ] as const)('is refused with %s and the reason of the exchange: %s', async (expected, _what, code, reason) => {
    account.addresses = () => Promise.reject(new ExchangeError('refused', 'kucoin', 'scripted', { code, reason }));
    await expect(get()).rejects.toMatchObject({ code: expected, details: { result: { reason } } });
    expect(account.made).toBe(0);
  });

  it('is refused at an exchange without deposits', async () => {
    harness.exchanges.capabilities = () => ({});
    expect(await code()).toBe('DEPOSIT_EXCHANGE_NOT_SUPPORTED');
  });

  it('that does not match the address format of its network is refused, existing or new', async () => {
    account.existing['ETH by ethereum'] = [address('bc1pjgv68y0p8ln590tkgc6p2wmqxwqun9y79d6sle83cx0kwwwcttcqd3xcrp')];
    await expect(get()).rejects.toThrow(ProviderError);
    expect(await code({ cache: STORED })).toBe('CACHE_MISS');
    account.create = () => Promise.resolve(address('not an address'));
    await expect(get({ policy: 'create_new' })).rejects.toThrow(ProviderError);
  });

  it('is not returned from the stored row to a request with no-cache when the exchange fails', async () => {
    await get();
    account.before = () => Promise.reject(new ExchangeError('unavailable', 'kraken', 'scripted'));
    await expect(get({ cache: { ...ASK, noCache: true } })).rejects.toThrow(ProviderError);
    expect(await get()).toMatchObject({ isCached: true });
  });
});

function forbid(account: Account): void {
  account.listed = account.listed.map((one) => ({ ...one, canGenerateAddress: false }));
}
