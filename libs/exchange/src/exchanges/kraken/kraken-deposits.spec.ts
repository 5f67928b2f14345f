import { Amount } from '#money';
import type { DepositCapability, DepositMethod } from '../../port/deposit.port.js';
import { ExchangeHarness } from '../../testing/exchange-harness.js';
import { depositMethods, documentedAddresses } from '../../testing/kraken-deposit-documentation.js';
import { documented, refusal, result } from '../../testing/kraken-documentation.js';
import { ManualClock } from '../../testing/manual-clock.js';

const { bitcoin, ether, ripple, stellar, testnet } = documentedAddresses;
const clock = new ManualClock();
const NOW = clock.now();
const inSeconds = (seconds: number): string => String(NOW.getTime() / 1000 + seconds);

const UNUSABLE = { kind: 'unavailable', reason: 'unusable_answer' };
const UNSAFE = { kind: 'refused', code: 'DEPOSIT_ADDRESS_UNAVAILABLE', reason: 'unsafe_address' };
const TAGLESS = { kind: 'refused', code: 'DEPOSIT_ADDRESS_UNAVAILABLE', reason: 'tag_missing' };
/** The example of a multiplexed address in SEP-23 (Stellar), with the id 0. */
const MUXED = 'MA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVAAAAAAAAAAAAAJLK';

function method(asset: string, exchangeMethodId: string, network: string | null): DepositMethod {
  return {
    asset,
    network,
    exchangeMethodId,
    tagType: null,
    minimum: null,
    fee: null,
    limit: null,
    canGenerateAddress: true,
  };
}
const BITCOIN = method('BTC', 'Bitcoin', 'bitcoin');
const RIPPLE = method('XRP', 'Ripple XRP', 'ripple');

describe('deposits at Kraken', () => {
  let harness: ExchangeHarness;
  let deposits: DepositCapability;

  beforeAll(async () => {
    harness = await ExchangeHarness.start({}, clock);
    harness.stub.on('Assets', () => result({ ...documented.Assets, XXLM: { altname: 'XLM', decimals: 8 } }));
  });
  afterAll(() => harness.close());
  beforeEach(async () => {
    harness.stub.on('DepositMethods', ({ params }) =>
      result(depositMethods[params['asset'] as keyof typeof depositMethods] ?? []),
    );
    harness.stub.calls.length = 0;
    const session = await harness.open();
    if (session.deposits === undefined) throw new Error('no deposits');
    deposits = session.deposits;
  });

  const gives = (...addresses: object[]): void => harness.stub.on('DepositAddresses', () => result(addresses));

  describe('the methods', () => {
    it('have the network that the name of the method identifies', async () => {
      const methods = await deposits.methods('ETH');
      expect(methods.map(({ exchangeMethodId, network }) => [exchangeMethodId, network])).toEqual([
        ['Ether (Hex)', 'ethereum'],
        ['Ethereum (ERC20)', null],
        ['Arbitrum Nova', null],
        ['ETH - Arbitrum One (Unified)', 'arbitrum'],
        ['ETH - Optimism (Unified)', 'optimism'],
        ['ETH - Base (Unified)', 'base'],
        // ETH on Polygon is a wrapped coin.
        ['ETH - Polygon (Unified)', null],
        ['zkSync Era', 'zksync'],
        ['Linea', 'linea'],
      ]);
      expect(harness.stub.calls.at(-1)?.params).toMatchObject({ asset: 'XETH' });
    });

    it('have minimum, fee and limit', async () => {
      expect((await deposits.methods('BTC'))[0]).toEqual({
        asset: 'BTC',
        network: 'bitcoin',
        exchangeMethodId: 'Bitcoin',
        tagType: null,
        minimum: Amount.of('0.0001'),
        fee: Amount.zero,
        limit: null,
        canGenerateAddress: true,
      });
      expect((await deposits.methods('XRP'))[0]).toMatchObject({ tagType: 'destinationTag', fee: null });
      harness.stub.on('DepositMethods', () =>
        result([{ method: 'Bitcoin', limit: '12.5', fee: 0.0005, 'fee-percentage': '0.1', 'gen-address': true }]),
      );
      expect((await deposits.methods('BTC'))[0]).toMatchObject({
        limit: Amount.of('12.5'),
        fee: null,
        minimum: null,
        canGenerateAddress: true,
      });
    });

    it.each([
      [{ 'gen-address': false }, false],
      [{}, false],
      [{ 'gen-address': true, 'address-setup-fee': '0.50000000' }, false],
      [{ 'gen-address': true, 'address-setup-fee': true }, false],
      [{ 'gen-address': true, 'address-setup-fee': false }, true],
      [{ 'gen-address': true, 'address-setup-fee': '0.00000000' }, true],
    ])('allow new addresses only if Kraken creates them free of charge: %j', async (entry, expected) => {
      harness.stub.on('DepositMethods', () => result([{ method: 'Bitcoin', limit: false, ...entry }]));
      expect((await deposits.methods('BTC'))[0]).toMatchObject({ canGenerateAddress: expected });
    });

    it('are an empty list for an asset that Kraken refuses or does not know', async () => {
      expect(await deposits.methods('NOPE')).toEqual([]);
      expect(harness.stub.callsOf('DepositMethods')).toEqual([]);
      for (const code of ['EFunding:No funding method', 'EFunding:Unknown asset', 'EQuery:Unknown asset']) {
        harness.stub.on('DepositMethods', () => refusal(code));
        expect(await deposits.methods('BTC')).toEqual([]);
      }
    });

    it('cannot be read when Kraken does not return a list', async () => {
      harness.stub.on('DepositMethods', () => refusal('EGeneral:Permission denied'));
      await expect(deposits.methods('BTC')).rejects.toMatchObject({ kind: 'permission_missing' });
      harness.stub.on('DepositMethods', () => refusal('EService:Busy'));
      await expect(deposits.methods('BTC')).rejects.toMatchObject({ kind: 'unavailable', reason: undefined });
      harness.stub.on('DepositMethods', () => result(null));
      await expect(deposits.methods('BTC')).rejects.toMatchObject(UNUSABLE);
    });

    it('are read without the unreadable entries of the list', async () => {
      harness.stub.on('DepositMethods', () =>
        result([
          null,
          { limit: false },
          { method: 'Bitcoin', limit: 'much' },
          { method: 'Bitcoin', limit: false, minimum: '-1' },
          { method: 'Bitcoin', limit: '-1' },
          { method: 'Bitcoin', limit: false, fee: '-0.1' },
          ...depositMethods.XXBT,
        ]),
      );
      expect((await deposits.methods('BTC')).map(({ network }) => network)).toEqual(['bitcoin', 'lightning', null]);
    });
  });

  describe('the addresses', () => {
    it('are sorted by expiry (the latest first) and then unused before used, and exclude expired addresses', async () => {
      gives(
        { ...bitcoin, expiretm: inSeconds(3_600) },
        bitcoin,
        { ...bitcoin, expiretm: inSeconds(-1) },
        { address: 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq', expiretm: '0', new: true },
        { ...bitcoin, expiretm: inSeconds(0), new: true },
        { ...bitcoin, expiretm: inSeconds(2), new: true },
      );
      expect(await deposits.addresses(BITCOIN)).toEqual([
        { address: 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq', tag: null, expiresAt: null },
        { address: bitcoin.address, tag: null, expiresAt: null },
        { address: bitcoin.address, tag: null, expiresAt: new Date(NOW.getTime() + 3_600_000) },
        { address: bitcoin.address, tag: null, expiresAt: new Date(NOW.getTime() + 2_000) },
      ]);
    });

    it('are requested by method, without the parameter `new`', async () => {
      gives();
      expect(await deposits.addresses(BITCOIN)).toEqual([]);
      expect(harness.stub.calls).toHaveLength(1);
      expect(Object.keys(harness.stub.calls[0]?.params ?? {}).sort()).toEqual(['asset', 'method', 'nonce']);
      expect(harness.stub.calls[0]?.params).toMatchObject({ asset: 'XXBT', method: 'Bitcoin' });
    });

    it('have their tag with its exact digits, whether its field is `tag` or `memo`', async () => {
      gives(ripple);
      expect(await deposits.addresses(RIPPLE)).toEqual([{ address: ripple.address, tag: ripple.tag, expiresAt: null }]);
      gives({ address: ripple.address, expiretm: '0', memo: '0123456789' });
      expect(await deposits.addresses(RIPPLE)).toMatchObject([{ tag: '0123456789' }]);
      gives({ address: ripple.address, expiretm: 0, tag: 77, memo: null });
      expect(await deposits.addresses(RIPPLE)).toMatchObject([{ tag: '77' }]);
    });

    it.each([
      ['of a test chain', UNSAFE, BITCOIN, [bitcoin, testnet[2]]],
      ['of another chain', UNSAFE, BITCOIN, [ether]],
      ['with two tags', UNUSABLE, RIPPLE, [{ ...ripple, memo: '2' }]],
      ['with an invalid tag', UNSAFE, RIPPLE, [{ ...ripple, tag: 'my tag' }]],
      ['with a tag above 32 bits', UNSAFE, RIPPLE, [{ ...ripple, tag: '4294967296' }]],
      ['with a tag on a network without tags', UNSAFE, BITCOIN, [{ ...bitcoin, tag: '1' }]],
      ['that is empty', UNUSABLE, BITCOIN, [{ address: '', expiretm: '0' }]],
      ['that is not text', UNUSABLE, BITCOIN, [{ address: 17, expiretm: '0' }]],
      ['that may have expired', UNUSABLE, BITCOIN, [{ ...bitcoin, expiretm: 'soon' }]],
    ])('are not returned at all when Kraken lists an address %s', async (_what, error, asked, addresses) => {
      gives(...addresses);
      await expect(deposits.addresses(asked)).rejects.toMatchObject(error);
    });

    it('of Stellar require a memo unless the address contains it', async () => {
      const lumens = method('XLM', 'Stellar XLM', 'stellar');
      gives(stellar, { address: MUXED, expiretm: '0' });
      expect(await deposits.addresses(lumens)).toMatchObject([{ tag: '01234567' }, { tag: null }]);
      gives({ ...stellar, memo: undefined });
      await expect(deposits.addresses(lumens)).rejects.toMatchObject(TAGLESS);
    });

    it('exclude addresses without the required tag, and are refused when no address has the tag', async () => {
      const tagless = [
        { ...ripple, tag: undefined },
        { ...ripple, tag: '' },
      ];
      gives(...tagless, ripple);
      expect(await deposits.addresses(RIPPLE)).toEqual([{ address: ripple.address, tag: ripple.tag, expiresAt: null }]);
      gives(...tagless);
      await expect(deposits.addresses(RIPPLE)).rejects.toMatchObject(TAGLESS);
      harness.stub.calls.length = 0;
      await expect(deposits.create?.(RIPPLE)).rejects.toMatchObject(TAGLESS);
      expect(harness.stub.calls.filter(({ params }) => params['new'] !== undefined)).toEqual([]);
    });

    it.each([
      ['is unknown', method('BTC', 'kBTC - Ethereum (Unified)', null)],
      ['is not the network that its name identifies', method('ETH', 'Ether (Hex)', 'arbitrum')],
      ['is stated although its name identifies none', method('USDC', 'USDC.e - Optimism (Unified)', 'optimism')],
    ])('are not requested when the network of the method %s', async (_what, asked) => {
      await expect(deposits.addresses(asked)).rejects.toMatchObject({ code: 'DEPOSIT_METHOD_NOT_RESOLVED' });
      await expect(deposits.create?.(asked)).rejects.toMatchObject({ code: 'DEPOSIT_METHOD_NOT_RESOLVED' });
      expect(harness.stub.calls).toEqual([]);
    });

    it('are an empty list on Lightning, where each address is for one amount', async () => {
      const lightning = (await deposits.methods('BTC')).find(({ network }) => network === 'lightning');
      if (lightning === undefined) throw new Error('no Lightning');
      expect(lightning.canGenerateAddress).toBe(false);
      expect(await deposits.addresses(lightning)).toEqual([]);
      await expect(deposits.create?.(lightning)).rejects.toMatchObject({ kind: 'refused' });
      expect(harness.stub.callsOf('DepositAddresses')).toEqual([]);
    });

    it('are refused as DEPOSIT_METHODS_UNAVAILABLE when Kraken no longer has the method', async () => {
      harness.stub.on('DepositAddresses', () => refusal('EFunding:No funding method'));
      await expect(deposits.addresses(BITCOIN)).rejects.toMatchObject({ code: 'DEPOSIT_METHODS_UNAVAILABLE' });
    });
  });

  describe('a new deposit address at Kraken', () => {
    /** Sets the account's addresses, and the response to a request for a new one. */
    const makes = (existing: object[], response: object[]): void =>
      harness.stub.on('DepositAddresses', ({ params }) => result(params['new'] === 'true' ? response : existing));
    const MADE = { address: 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq', expiretm: '0', new: true };

    it('is the address that did not exist before, alone in the response or among others', async () => {
      const old = { ...bitcoin, new: true };
      for (const response of [[MADE], [old, MADE], [MADE, old]]) {
        makes([old], response);
        expect(await deposits.create?.(BITCOIN)).toEqual({ address: MADE.address, tag: null, expiresAt: null });
      }
    });

    it('may be an old address with a new tag', async () => {
      makes([ripple], [ripple, { ...ripple, tag: '1361101128' }]);
      expect(await deposits.create?.(RIPPLE)).toMatchObject({ address: ripple.address, tag: '1361101128' });
    });

    it('is refused when several addresses are new, because each may be given to one caller only', async () => {
      const others = { ...MADE, address: '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa' };
      for (const response of [
        [others, MADE],
        [MADE, others],
      ]) {
        makes([bitcoin], [bitcoin, ...response]);
        await expect(deposits.create?.(BITCOIN)).rejects.toMatchObject(UNUSABLE);
      }
    });

    it('is refused when the response has no new address', async () => {
      makes([bitcoin], [bitcoin]);
      await expect(deposits.create?.(BITCOIN)).rejects.toMatchObject(UNUSABLE);
      makes([ether], [ether]);
      await expect(deposits.create?.(BITCOIN)).rejects.toMatchObject(UNSAFE);
    });

    it('is refused when the account has too many addresses', async () => {
      harness.stub.on('DepositAddresses', ({ params }) =>
        params['new'] === undefined ? result([bitcoin]) : refusal('EFunding:Too many addresses'),
      );
      await expect(deposits.create?.(BITCOIN)).rejects.toMatchObject({
        kind: 'refused',
        code: 'WITHDRAWAL_TOO_MANY_ADDRESSES',
      });
    });
  });
});
