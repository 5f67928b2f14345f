import { Amount } from '#money';
import type { DepositCapability, DepositMethod } from '../../port/deposit.port.js';
import { ExchangeHarness } from '../../testing/exchange-harness.js';
import { refuse, route } from '../../testing/sandbox-documentation.js';

const METHODS = route('GET', '/deposit-methods');
const ADDRESSES = route('GET', '/deposit-addresses');
const ADDRESS = 'bc1q30hd07qtnrr3r8p7nm3ve0n6w83preauur5hs6';
const RIPPLE = 'r4Te9i7iBJUTMZf7DdfmRjzd6FJbDgNmV2';

const reported = (asset: string, network: string, tagType: string | null = null): object => ({
  asset,
  network,
  displayName: network,
  tagType,
  minimum: '0.0004',
  fee: '0',
  limit: null,
});
const at = (asset: string, network: string, address: object): object => ({
  asset,
  network,
  expiresAt: null,
  ...address,
});

describe('deposits by the partner API', () => {
  let harness: ExchangeHarness;
  let deposits: DepositCapability;

  beforeAll(async () => {
    harness = await ExchangeHarness.start();
  });
  afterAll(() => harness.close());
  beforeEach(async () => {
    harness.stub.calls.length = 0;
    harness.stub.on(METHODS, ({ params: { asset = '' } }) => ({
      depositMethods: {
        BTC: [reported('BTC', 'bitcoin'), reported('BTC', 'lightning'), reported('BTC', 'ethereum-kbtc')],
        XRP: [reported('XRP', 'ripple', 'destinationTag')],
      }[asset],
    }));
    const session = await harness.open('sandbox');
    if (session.deposits === undefined) throw new Error('no deposits');
    deposits = session.deposits;
  });

  const gives = (...addresses: object[]): void => harness.stub.on(ADDRESSES, () => ({ addresses }));
  async function methodOf(asset: string, network: string): Promise<DepositMethod> {
    const method = (await deposits.methods(asset)).find((one) => one.network === network);
    if (method === undefined) throw new Error('no method');
    return method;
  }

  it('have methods with our network ids, or with no network for a variant of an asset', async () => {
    const methods = await deposits.methods('BTC');
    expect(methods.map(({ exchangeMethodId, network }) => [exchangeMethodId, network])).toEqual([
      ['bitcoin', 'bitcoin'],
      ['lightning', 'lightning'],
      ['ethereum-kbtc', null],
    ]);
    expect(methods[0]).toMatchObject({ minimum: Amount.of('0.0004'), fee: Amount.zero, limit: null });
    expect('create' in deposits).toBe(false);
    expect(methods[0]?.canGenerateAddress).toBe(false);
    expect(await methodOf('XRP', 'ripple')).toMatchObject({ tagType: 'destinationTag' });
  });

  it('have no methods for an asset that the exchange does not know', async () => {
    harness.stub.on(METHODS, (_call, response) => refuse(response, 422, 'asset_not_supported'));
    expect(await deposits.methods('NOPE')).toEqual([]);
    harness.stub.on(METHODS, (_call, response) => refuse(response, 429, 'rate_limited'));
    await expect(deposits.methods('BTC')).rejects.toMatchObject({ kind: 'rate_limited' });
    harness.stub.on(METHODS, () => ({ depositMethods: [reported('ETH', 'ethereum')] }));
    expect(await deposits.methods('BTC')).toEqual([]);
  });

  it('use the addresses of the method, with their tag', async () => {
    gives(at('BTC', 'bitcoin', { address: ADDRESS, tag: null, expiresAt: 1_795_000_000_000 }));
    expect(await deposits.addresses(await methodOf('BTC', 'bitcoin'))).toEqual([
      { address: ADDRESS, tag: null, expiresAt: new Date(1_795_000_000_000) },
    ]);
    expect(harness.stub.callsOf(ADDRESSES)[0]?.params).toEqual({ asset: 'BTC', network: 'bitcoin' });
    gives(at('XRP', 'ripple', { address: RIPPLE, tag: '17' }));
    expect(await deposits.addresses(await methodOf('XRP', 'ripple'))).toMatchObject([{ tag: '17' }]);
    expect(await deposits.addresses(await methodOf('BTC', 'lightning'))).toEqual([]);
  });

  const unsafe = { kind: 'refused', code: 'DEPOSIT_ADDRESS_UNAVAILABLE', reason: 'unsafe_address' };
  it.each([
    ['of another chain', unsafe, 'BTC', 'bitcoin', { address: RIPPLE, tag: null }],
    ['with a tag on a network without tags', unsafe, 'BTC', 'bitcoin', { address: ADDRESS, tag: '17' }],
    ['with an invalid tag', unsafe, 'XRP', 'ripple', { address: RIPPLE, tag: 'seventeen' }],
    ['without information about a tag', { kind: 'unavailable' }, 'XRP', 'ripple', { address: RIPPLE }],
    ['of another network', unsafe, 'BTC', 'bitcoin', { address: ADDRESS, tag: null, network: 'litecoin' }],
    ['of another asset', unsafe, 'BTC', 'bitcoin', { address: ADDRESS, tag: null, asset: 'BCH' }],
  ])('get no address at all when the exchange lists an address %s', async (_what, error, asset, network, address) => {
    const sound = asset === 'BTC' ? { address: ADDRESS, tag: null } : { address: RIPPLE, tag: '1' };
    gives(at(asset, network, sound), at(asset, network, address));
    await expect(deposits.addresses(await methodOf(asset, network))).rejects.toMatchObject(error);
  });

  it('use only addresses with the required tag, and are refused when no address has the tag', async () => {
    const ripple = await methodOf('XRP', 'ripple');
    const [whole, tagless] = ['17', null].map((tag) => at('XRP', 'ripple', { address: RIPPLE, tag })) as [
      object,
      object,
    ];
    gives(tagless, whole);
    expect(await deposits.addresses(ripple)).toMatchObject([{ tag: '17' }]);
    gives(tagless);
    await expect(deposits.addresses(ripple)).rejects.toMatchObject({
      code: 'DEPOSIT_ADDRESS_UNAVAILABLE',
      reason: 'tag_missing',
    });
  });

  it('are refused when the network of the method is unknown, or the exchange no longer has the method', async () => {
    const bitcoin = await methodOf('BTC', 'bitcoin');
    const code = 'DEPOSIT_METHOD_NOT_RESOLVED';
    await expect(deposits.addresses({ ...bitcoin, network: 'lightning' })).rejects.toMatchObject({ code });
    const variant = { ...bitcoin, network: null, exchangeMethodId: 'ethereum-kbtc' };
    await expect(deposits.addresses(variant)).rejects.toMatchObject({ code });
    expect(harness.stub.callsOf(ADDRESSES)).toEqual([]);
    harness.stub.on(ADDRESSES, (_call, response) => refuse(response, 422, 'network_not_supported'));
    await expect(deposits.addresses(bitcoin)).rejects.toMatchObject({ code: 'DEPOSIT_METHODS_UNAVAILABLE' });
  });
});
