import { Amount } from '#money';
import type {
  QuotedWithdrawal,
  SoughtWithdrawal,
  WithdrawalCapability,
  WithdrawalInstruction,
  WithdrawalNetwork,
} from '../../port/exchange.port.js';
import { networkById } from '../../networks/networks.js';
import { ExchangeHarness } from '../../testing/exchange-harness.js';
import { ManualClock } from '../../testing/manual-clock.js';
import { refuse, route, speakSandbox, WITHDRAWAL } from '../../testing/sandbox-documentation.js';

const NETWORKS = route('GET', '/networks');
const PREVIEW = route('POST', '/withdrawals/preview');
const HISTORY = route('GET', '/withdrawals');
const ADDRESS = WITHDRAWAL.address;

describe('withdrawals from the sandbox exchange', () => {
  const clock = new ManualClock();
  let harness: ExchangeHarness;
  let withdrawals: WithdrawalCapability;

  beforeAll(async () => {
    harness = await ExchangeHarness.start({ EXCHANGE_SUBMIT_TIMEOUT_MS: '15000' }, clock);
  });
  afterAll(() => harness.close());
  beforeEach(async () => {
    speakSandbox(harness.stub);
    harness.stub.calls.length = 0;
    withdrawals = await harness.withdrawals('sandbox');
  });

  async function networkOf(asset: string, id: string): Promise<WithdrawalNetwork> {
    const network = (await withdrawals.networks(asset)).find((each) => each.id === id);
    if (network === undefined) throw new Error(`no network ${id}`);
    return network;
  }

  async function quoted(rest: Partial<QuotedWithdrawal> = {}): Promise<QuotedWithdrawal> {
    const network = await networkOf('BTC', 'bitcoin');
    return { asset: 'BTC', network, address: ADDRESS, tag: null, amount: Amount.of('0.5'), includeFee: false, ...rest };
  }

  describe('networks', () => {
    it('have our ids, and exclude networks that have no id of ours', async () => {
      const networks = await withdrawals.networks();
      expect(networks.map(({ asset, id, exchangeNetworkId }) => [asset, id, exchangeNetworkId])).toEqual([
        ['BTC', 'bitcoin', 'bitcoin'],
        ['ETH', 'arbitrum', 'arbitrum-one'],
        ['XRP', 'ripple', 'ripple'],
      ]);
      expect(await withdrawals.networks('USDC')).toEqual([]);
    });

    it('have minimum and maximum of the debited amount, and at most the decimals of the chain', async () => {
      expect(await networkOf('BTC', 'bitcoin')).toMatchObject({
        minWithdrawal: Amount.of('0.00055'),
        maxWithdrawal: Amount.of('100.00015'),
        fee: Amount.of('0.00015'),
        feeAsset: 'BTC',
        decimals: 8,
        tagType: null,
        displayName: 'Bitcoin',
      });
      expect(await networkOf('XRP', 'ripple')).toMatchObject({ decimals: 8, tagType: 'destinationTag' });
    });

    it('are read once within the time to live', async () => {
      await withdrawals.networks('BTC');
      await withdrawals.networks('ETH');
      expect(harness.stub.callsOf(NETWORKS)).toHaveLength(1);
      clock.advance(301_000);
      await withdrawals.networks();
      expect(harness.stub.callsOf(NETWORKS)).toHaveLength(2);
    });

    const changed = (change: object): object => {
      const entry = {
        asset: 'BTC',
        network: 'bitcoin',
        displayName: 'Bitcoin',
        addressRegex: '^bc1.*$',
        tagType: null,
      };
      const bounds = { decimals: 8, minimum: '0.0004', maximum: '100', fee: '0.00015', feeAsset: 'BTC' };
      return { networks: [{ ...entry, ...bounds, ...change }] };
    };

    it('leave out a network whose fee is charged in another asset, which cannot be part of the amount', async () => {
      harness.stub.on(NETWORKS, () => changed({ feeAsset: 'ETH' }));
      expect(await withdrawals.networks()).toEqual([]);
    });

    it('have our address rule, and the exchange’s rule if it can be matched in linear time', async () => {
      harness.stub.on(NETWORKS, () => changed({}));
      const { addressRegex } = networkById('bitcoin') ?? {};
      expect(await networkOf('BTC', 'bitcoin')).toMatchObject({ addressRegex, exchangeAddressRegex: '^bc1.*$' });
      clock.advance(301_000);
      harness.stub.on(NETWORKS, () => changed({ addressRegex: '(?=x)(' }));
      const unmatched = await networkOf('BTC', 'bitcoin');
      expect(unmatched.addressRegex).toBe(addressRegex);
      expect(unmatched).not.toHaveProperty('exchangeAddressRegex');
    });
  });

  describe('estimate', () => {
    it('adds the fee to an amount that does not include it', async () => {
      expect(await withdrawals.estimate(await quoted())).toEqual({
        amountNoFee: Amount.of('0.5'),
        fee: Amount.of('0.00015'),
        amountWithFee: Amount.of('0.50015'),
        feeDetails: [{ category: 'exchange_withdrawal_fee', currency: 'BTC', amount: Amount.of('0.00015') }],
        minWithdrawal: Amount.of('0.00055'),
        maxWithdrawal: Amount.of('100.00015'),
        requirements: [
          { type: 'totp', detail: expect.any(String) as string },
          { type: 'email', detail: expect.any(String) as string },
        ],
        expiresAt: null,
      });
      expect(harness.stub.callsOf(PREVIEW).map(({ json }) => json)).toEqual([
        { asset: 'BTC', network: 'bitcoin', address: ADDRESS, amount: '0.5' },
      ]);
    });

    it('deducts the fee from an amount that includes it, to the last digit', async () => {
      const estimate = await withdrawals.estimate(await quoted({ amount: Amount.of('0.50015001'), includeFee: true }));
      expect([estimate.amountNoFee, estimate.fee, estimate.amountWithFee].map(String)).toEqual([
        '0.50000001',
        '0.00015',
        '0.50015001',
      ]);
      expect(harness.stub.callsOf(PREVIEW).map(({ json }) => json)).toMatchObject([{ amount: '0.50000001' }]);
    });

    it('sends the tag, and the exchange’s own id of the network', async () => {
      const network = await networkOf('XRP', 'ripple');
      await withdrawals.estimate(await quoted({ asset: 'XRP', network, tag: '1000001', amount: Amount.of('25') }));
      const arbitrum = await networkOf('ETH', 'arbitrum');
      await withdrawals.estimate(await quoted({ asset: 'ETH', network: arbitrum, amount: Amount.of('1') }));
      expect(harness.stub.callsOf(PREVIEW).map(({ json }) => json)).toEqual([
        { asset: 'XRP', network: 'ripple', address: ADDRESS, tag: '1000001', amount: '25' },
        { asset: 'ETH', network: 'arbitrum-one', address: ADDRESS, amount: '1' },
      ]);
    });

    const figures = (amount: string, fee: string, total: string): object => {
      return { amount, fee, total, minimum: '0.0004', maximum: '100', available: '4.75', requires: [] };
    };

    it('requests a second preview when the fee inside the amount differs from the fee in the list', async () => {
      harness.stub.on(PREVIEW, ({ json }) => {
        const { amount } = json as { amount: string };
        return figures(amount, '0.0002', String(Amount.of(amount).plus(Amount.of('0.0002'))));
      });
      const estimate = await withdrawals.estimate(await quoted({ includeFee: true }));
      expect([estimate.amountNoFee, estimate.fee].map(String)).toEqual(['0.4998', '0.0002']);
      expect(harness.stub.callsOf(PREVIEW)).toHaveLength(2);
    });

    it('fails when each attempt to include the fee leads to another fee', async () => {
      let fee = Amount.of('0.0002');
      harness.stub.on(PREVIEW, ({ json }) => {
        const { amount } = json as { amount: string };
        fee = fee.plus(Amount.of('0.0001'));
        return figures(amount, String(fee), String(Amount.of(amount).plus(fee)));
      });
      await expect(withdrawals.estimate(await quoted({ includeFee: true }))).rejects.toMatchObject({
        kind: 'unavailable',
      });
    });

    it.each([
      ['a preview of another amount than the requested one', figures('0.4', '0.00015', '0.40015')],
      ['a preview whose total is not the sum of amount and fee', figures('0.5', '0.00015', '0.5')],
    ])('refuses %s', async (_what, response) => {
      harness.stub.on(PREVIEW, () => response);
      await expect(withdrawals.estimate(await quoted())).rejects.toMatchObject({ kind: 'unavailable' });
    });

    it('refuses an amount with too many decimals instead of rounding it, and sends nothing', async () => {
      await expect(
        withdrawals.estimate(await quoted({ amount: Amount.of('0.500150001'), includeFee: true })),
      ).rejects.toMatchObject({ kind: 'refused', reason: 'amount_not_representable' });
      expect(harness.stub.callsOf(PREVIEW)).toEqual([]);
    });

    it('refuses an amount that does not exceed the fee', async () => {
      await expect(
        withdrawals.estimate(await quoted({ amount: Amount.of('0.00015'), includeFee: true })),
      ).rejects.toMatchObject({ kind: 'refused', code: 'WITHDRAWAL_AMOUNT_BELOW_MINIMUM' });
    });

    it.each([
      [true, 'WITHDRAWAL_INSUFFICIENT_BALANCE'],
      [false, 'WITHDRAWAL_INSUFFICIENT_BALANCE_FOR_FEE'],
    ])('reports a balance that does not cover the fee, with includeFee %s, as %s', async (includeFee, code) => {
      harness.stub.on(PREVIEW, (_call, response) => refuse(response, 422, 'insufficient_funds_for_fee'));
      await expect(withdrawals.estimate(await quoted({ includeFee }))).rejects.toMatchObject({ kind: 'refused', code });
    });

    it('reports SMS, FACE, YUBIKEY and PASSPHRASE as requirements', async () => {
      const requires = ['SMS', 'FACE', 'YUBIKEY', 'PASSPHRASE'];
      harness.stub.on(PREVIEW, () => ({ ...figures('0.5', '0.00015', '0.50015'), requires }));
      const { requirements } = await withdrawals.estimate(await quoted());
      expect(requirements.map(({ type }) => type)).toEqual(['sms', 'face', 'yubikey', 'passphrase']);
    });
  });

  describe('prepare', () => {
    const instruction: WithdrawalInstruction = {
      asset: 'BTC',
      network: 'bitcoin',
      address: ADDRESS,
      tag: null,
      amountNoFee: Amount.of('0.0000001'),
      fee: Amount.of('0.00015'),
      amountWithFee: Amount.of('0.0001501'),
      clientRef: 'quote-1',
    };

    it('returns exactly what will be sent: the net amount, plain decimals, the fee as the maximum, and the deadline', async () => {
      const until = clock.now().getTime() + 45_000;
      expect(await withdrawals.prepare(instruction)).toEqual({
        request: {
          reference: 'quote-1',
          asset: 'BTC',
          network: 'bitcoin',
          address: ADDRESS,
          amount: '0.0000001',
          maxFee: '0.00015',
          validUntil: String(until),
        },
        clientRef: 'quote-1',
        submissionDeadline: new Date(until),
      });
    });

    it('includes the tag', async () => {
      const { request } = await withdrawals.prepare({
        ...instruction,
        asset: 'XRP',
        network: 'ripple',
        tag: '1000001',
      });
      expect(request).toMatchObject({ network: 'ripple', tag: '1000001' });
    });

    it('includes the exchange’s own id of the network', async () => {
      const { request } = await withdrawals.prepare({ ...instruction, asset: 'ETH', network: 'arbitrum' });
      expect(request).toMatchObject({ asset: 'ETH', network: 'arbitrum-one' });
    });

    it.each([
      ['NEWCOIN', 'bitcoin', 'WITHDRAWAL_ASSET_NOT_SUPPORTED'],
      ['BTC', 'tron', 'WITHDRAWAL_NETWORK_NOT_SUPPORTED'],
    ])('refuses %s on %s', async (asset, network, code) => {
      const refused = withdrawals.prepare({ ...instruction, asset, network });
      await expect(refused).rejects.toMatchObject({ kind: 'refused', code });
    });
  });

  describe('searching the history', () => {
    const sought = (rest: Partial<SoughtWithdrawal> = {}): SoughtWithdrawal => ({
      asset: 'BTC',
      network: 'bitcoin',
      request: {
        reference: 'quote-1',
        asset: 'BTC',
        network: 'bitcoin',
        address: ADDRESS,
        amount: '0.01',
        maxFee: '0.0002',
        validUntil: '1795000045000',
      },
      clientRef: 'quote-1',
      exchangeId: null,
      notBefore: new Date(0),
      ...rest,
    });
    const history = (...records: object[]) =>
      harness.stub.on(HISTORY, () => ({ withdrawals: records, nextCursor: null }));

    it('requests records with our reference, and returns a certain match for a record that equals the sent withdrawal', async () => {
      history(WITHDRAWAL);
      expect(await withdrawals.find(sought())).toEqual([
        {
          exchangeId: WITHDRAWAL.id,
          status: 'pending',
          rawStatus: 'requested',
          hash: null,
          amountNoFee: Amount.of('0.01'),
          fee: Amount.of('0.00015'),
          at: new Date(1_795_000_000_000),
          isCertain: true,
        },
      ]);
      expect(harness.stub.callsOf(HISTORY)[0]?.params).toEqual({ reference: 'quote-1', limit: '500' });
    });

    it.each([
      ['another amount', { amount: '0.02' }],
      ['another address', { address: '16UMkmhauCp7rRo89SciYkppzcTdfxrEFR' }],
      ['a tag', { tag: '1' }],
      ['another network', { network: 'lightning' }],
      ['another asset', { asset: 'ETH' }],
    ])('returns an uncertain match for a record with our reference that has %s', async (_what, change) => {
      history({ ...WITHDRAWAL, ...change });
      expect(await withdrawals.find(sought())).toMatchObject([{ isCertain: false }]);
    });

    it('finds no record without our reference, however similar the record is', async () => {
      expect(await withdrawals.find(sought())).toEqual([]);
      history({ ...WITHDRAWAL, reference: 'quote-2' });
      expect(await withdrawals.find(sought())).toEqual([]);
    });

    it('searches for the exchange’s id once this id is known', async () => {
      history({ ...WITHDRAWAL, status: 'confirmed', txHash: 'a1b2' });
      const found = await withdrawals.find(sought({ exchangeId: WITHDRAWAL.id }));
      expect(found).toMatchObject([{ isCertain: true, status: 'completed', hash: 'a1b2' }]);
      expect(harness.stub.callsOf(HISTORY)[0]?.params).toEqual({ id: WITHDRAWAL.id, limit: '500' });
      expect(await withdrawals.find(sought({ exchangeId: 'another' }))).toEqual([]);
    });

    it.each([
      ['requested', 'pending'],
      ['sent', 'pending'],
      ['confirmed', 'completed'],
      ['failed', 'failed'],
      ['canceled', 'canceled'],
      ['something new', 'unknown'],
    ])('reads the status %s as %s', async (rawStatus, status) => {
      history({ ...WITHDRAWAL, status: rawStatus });
      expect(await withdrawals.find(sought())).toMatchObject([{ status, rawStatus }]);
    });

    it('reads every page, with the details of each withdrawal', async () => {
      harness.stub.on(HISTORY, ({ params: { cursor } }) =>
        cursor === undefined
          ? { withdrawals: [{ ...WITHDRAWAL, id: 'second', reference: 'not ours' }], nextCursor: 'second' }
          : { withdrawals: [WITHDRAWAL], nextCursor: null },
      );
      const { records, isComplete } = await withdrawals.list(new Date(1_794_999_999_999));
      expect(isComplete).toBe(true);
      expect(records).toMatchObject([
        { exchangeId: 'second', clientRef: 'not ours', asset: 'BTC' },
        { exchangeId: WITHDRAWAL.id, clientRef: 'quote-1', address: ADDRESS, amountNoFee: Amount.of('0.01') },
      ]);
      expect(harness.stub.callsOf(HISTORY).map(({ params }) => params)).toEqual([
        { since: '1794999999999', limit: '500' },
        { since: '1794999999999', limit: '500', cursor: 'second' },
      ]);
    });

    it('is incomplete when there are more pages than it may read, and a search then fails', async () => {
      harness.stub.on(HISTORY, () => ({ withdrawals: [WITHDRAWAL], nextCursor: 'more' }));
      const listed = await withdrawals.list(new Date(0), 2);
      expect(listed).toMatchObject({ isComplete: false, records: [{ exchangeId: WITHDRAWAL.id }, {}] });
      expect(harness.stub.callsOf(HISTORY)).toHaveLength(2);
      await expect(withdrawals.find(sought())).rejects.toMatchObject({ kind: 'unavailable' });
      harness.stub.on(HISTORY, ({ params: { cursor } }, response) =>
        cursor === undefined
          ? { withdrawals: [], nextCursor: 'more' }
          : void response.writeHead(503).end('{"error":{"code":"unavailable"}}'),
      );
      await expect(withdrawals.list(new Date(0))).rejects.toMatchObject({ kind: 'unavailable' });
    });
  });
});
