import { Amount } from '#money';
import { Secret } from '#platform/crypto';
import type { QuotedWithdrawal, WithdrawalCapability, WithdrawalNetwork } from '../../port/exchange.port.js';
import { ExchangeHarness } from '../../testing/exchange-harness.js';
import { documented, refusal, result, speakKraken } from '../../testing/kraken-documentation.js';

const SAVED = 'bc1qxdsh4sdd29h6ldehz0se5c61asq8cgwyjf2y3z';
const OTHER = 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq';
const INVALID_ADDRESS = { kind: 'refused', code: 'WITHDRAWAL_INVALID_ADDRESS' };

describe('withdrawals from Kraken', () => {
  let harness: ExchangeHarness;
  let withdrawals: WithdrawalCapability;

  beforeAll(async () => {
    harness = await ExchangeHarness.start({ EXCHANGE_TIMEOUT_MS: '400' });
  });
  afterAll(() => harness.close());
  beforeEach(async () => {
    speakKraken(harness.stub);
    harness.stub.calls.length = 0;
    withdrawals = await harness.withdrawals();
  });

  async function networkOf(asset: string, id: string): Promise<WithdrawalNetwork> {
    const network = (await withdrawals.networks(asset)).find((each) => each.id === id);
    if (network === undefined) throw new Error(`no network ${id}`);
    return network;
  }

  async function quoted(rest: Partial<QuotedWithdrawal> = {}): Promise<QuotedWithdrawal> {
    return {
      asset: 'BTC',
      network: await networkOf('BTC', 'bitcoin'),
      address: SAVED,
      tag: null,
      amount: Amount.of('0.5'),
      includeFee: false,
      ...rest,
    };
  }

  describe('networks', () => {
    it('have a minimum that includes the fee, and at most the decimals of the chain', async () => {
      expect(await networkOf('BTC', 'bitcoin')).toMatchObject({
        minWithdrawal: Amount.of('0.000415'),
        fee: Amount.of('0.000015'),
        feeAsset: 'BTC',
        decimals: 8,
        tagType: null,
      });
      expect(await networkOf('BTC', 'lightning')).toMatchObject({ fee: null });
      expect(await networkOf('XRP', 'ripple')).toMatchObject({ fee: null, tagType: 'destinationTag' });
    });

    it('have no fee if Kraken charges the fee in another asset', async () => {
      harness.stub.on('WithdrawMethods', () =>
        result([
          { asset: 'XXBT', method: 'Bitcoin', network: 'Bitcoin', minimum: '0.0004', fee: { asset: 'XXRP', fee: '2' } },
        ]),
      );
      const network = await networkOf('BTC', 'bitcoin');
      expect(network).toMatchObject({ fee: null, minWithdrawal: Amount.of('0.0004') });
      harness.stub.on('WithdrawAddresses', () => result([]));
      await expect(withdrawals.estimate(await quoted({ network }))).rejects.toMatchObject({ kind: 'refused' });
    });

    it('have the lowest limit of the amount as their maximum', async () => {
      const window = (maximum: string): object => ({ maximum, remaining: '1', used: '0' });
      harness.stub.on('WithdrawMethods', () =>
        result([
          {
            ...documented.WithdrawMethods[0],
            limits: [
              { limit_type: 'amount', description: '', limits: { 86400: window('10'), 2592000: window('9.5') } },
              { limit_type: 'count', description: '', limits: { 86400: window('3') } },
            ],
          },
        ]),
      );
      expect(await networkOf('BTC', 'bitcoin')).toMatchObject({ maxWithdrawal: Amount.of('9.5') });
    });

    it('are read once within the time to live', async () => {
      await Promise.all([withdrawals.networks(), withdrawals.networks('BTC'), withdrawals.networks('XRP')]);
      await withdrawals.networks();
      expect(harness.stub.callsOf('WithdrawMethods')).toHaveLength(1);
    });
  });

  describe('estimate', () => {
    it('adds the fee to an amount that does not include it', async () => {
      const estimate = await withdrawals.estimate(await quoted());
      expect(estimate).toMatchObject({
        amountNoFee: Amount.of('0.5'),
        fee: Amount.of('0.00015'),
        amountWithFee: Amount.of('0.50015'),
        minWithdrawal: Amount.of('0.00055'),
        maxWithdrawal: Amount.of('332.00971139'),
        requirements: [],
      });
    });

    it('deducts the fee from an amount that includes it', async () => {
      const estimate = await withdrawals.estimate(await quoted({ includeFee: true }));
      expect(estimate).toMatchObject({
        amountNoFee: Amount.of('0.49985'),
        fee: Amount.of('0.00015'),
        amountWithFee: Amount.of('0.5'),
      });
    });

    it('finds the amount that includes its own fee when the fee depends on the amount', async () => {
      harness.stub.on('WithdrawInfo', ({ params }) => {
        const gross = Amount.of(params['amount'] ?? '');
        const fee = gross.times(Amount.of('0.001')).truncate(8);
        return result({ method: 'Bitcoin', limit: '1', amount: gross.minus(fee).toString(), fee: fee.toString() });
      });
      const { amountNoFee, fee, amountWithFee } = await withdrawals.estimate(await quoted());
      expect(amountNoFee).toEqual(Amount.of('0.5'));
      expect(amountWithFee).toEqual(amountNoFee.plus(fee));
      expect(fee).toEqual(Amount.of('0.0005005'));
    });

    describe("for an amount above the exchange's limit", () => {
      const limited = (limit: string): void =>
        harness.stub.on('WithdrawInfo', ({ params }) => {
          const net = Amount.of(params['amount'] ?? '').minus(Amount.of('0.00015'));
          return result({ method: 'Bitcoin', limit, amount: net.toString(), fee: '0.00015' });
        });

      it('returns the limit as the maximum when the balance suffices', async () => {
        limited('0.3');
        const { maxWithdrawal } = await withdrawals.estimate(await quoted({ amount: Amount.of('0.4') }));
        expect(maxWithdrawal).toEqual(Amount.of('0.30015'));
      });

      it('returns no maximum when only the balance is too low, because the limit may then be the balance', async () => {
        limited('0.40105');
        const { maxWithdrawal } = await withdrawals.estimate(await quoted({ amount: Amount.of('0.4012') }));
        expect(maxWithdrawal).toBeNull();
      });
    });

    it.each([
      ['0.0001', 'WITHDRAWAL_AMOUNT_BELOW_MINIMUM'],
      ['1000', 'WITHDRAWAL_AMOUNT_ABOVE_MAXIMUM'],
    ])('reports which bound an invalid amount of %s violates', async (amount, code) => {
      harness.stub.on('WithdrawInfo', () => refusal('EFunding:Invalid amount'));
      await expect(withdrawals.estimate(await quoted({ amount: Amount.of(amount) }))).rejects.toMatchObject({
        kind: 'refused',
        code,
      });
    });

    it('refuses a response whose amount and fee do not add up to the requested amount', async () => {
      harness.stub.on('WithdrawInfo', () => result({ method: 'Bitcoin', limit: '1', amount: '0.5', fee: '0.1' }));
      await expect(withdrawals.estimate(await quoted({ includeFee: true }))).rejects.toMatchObject({
        kind: 'unavailable',
      });
    });

    it('fails when each attempt to include the fee leads to another fee', async () => {
      let fee = 1;
      harness.stub.on('WithdrawInfo', ({ params }) => {
        const own = Amount.of(`0.000${++fee}`);
        const net = Amount.of(params['amount'] ?? '').minus(own);
        return result({ method: 'Bitcoin', limit: '1', amount: net.toString(), fee: own.toString() });
      });
      await expect(withdrawals.estimate(await quoted())).rejects.toMatchObject({ kind: 'unavailable' });
      expect(harness.stub.callsOf('WithdrawInfo')).toHaveLength(5);
    });

    it('uses another saved address when the requested address is not saved, and requires an address book entry', async () => {
      const estimate = await withdrawals.estimate(await quoted({ address: OTHER }));
      expect(estimate).toMatchObject({
        fee: Amount.of('0.00015'),
        requirements: [{ type: 'address_allowlist', detail: expect.any(String) as string }],
      });
    });

    it('uses the price list when no address is saved', async () => {
      harness.stub.on('WithdrawAddresses', () => result([]));
      const estimate = await withdrawals.estimate(await quoted());
      expect(estimate).toMatchObject({
        fee: Amount.of('0.000015'),
        amountWithFee: Amount.of('0.500015'),
        maxWithdrawal: null,
        requirements: [{ type: 'address_allowlist' }],
      });
      expect(harness.stub.callsOf('WithdrawInfo')).toHaveLength(0);
    });

    it('is refused when no address is saved and the price list has no fee', async () => {
      harness.stub.on('WithdrawAddresses', () => result([]));
      const xrp = { asset: 'XRP', network: await networkOf('XRP', 'ripple'), amount: Amount.of('100') };
      await expect(withdrawals.estimate(await quoted(xrp))).rejects.toMatchObject({
        ...INVALID_ADDRESS,
        reason: 'address_not_allowlisted',
      });
    });

    it('requires the tag of the saved address from the caller', async () => {
      const address = 'rLHzPsX3oXdzU2qP17kHCH2G4csZv1rAJh';
      harness.stub.on('WithdrawAddresses', () =>
        result([{ address, asset: 'XRP', method: 'Ripple XRP', key: 'xrp', tag: '1361101127', verified: true }]),
      );
      const network = await networkOf('XRP', 'ripple');
      const xrp = await quoted({ asset: 'XRP', network, address, amount: Amount.of('100') });
      expect((await withdrawals.estimate(xrp)).requirements).toMatchObject([{ type: 'tag' }]);
      expect((await withdrawals.estimate({ ...xrp, tag: '1361101127' })).requirements).toEqual([]);
      expect((await withdrawals.estimate({ ...xrp, tag: '7' })).requirements).toMatchObject([
        { type: 'address_allowlist' },
      ]);
    });

    it('fails with the exchange’s refusal', async () => {
      harness.stub.on('WithdrawInfo', () => refusal('EFunding:Insufficient funds'));
      await expect(withdrawals.estimate(await quoted())).rejects.toMatchObject({
        kind: 'refused',
        code: 'WITHDRAWAL_INSUFFICIENT_BALANCE',
      });
    });
  });

  describe('prepare', () => {
    const instruction = {
      asset: 'BTC',
      network: 'bitcoin',
      address: SAVED,
      tag: null,
      amountNoFee: Amount.of('0.0000001'),
      fee: Amount.of('0.00015'),
      amountWithFee: Amount.of('0.0001501'),
      clientRef: 'ref',
    };
    const book = (...entries: object[]): void =>
      harness.stub.on('WithdrawAddresses', () =>
        result(entries.map((entry) => ({ asset: 'XBT', method: 'Bitcoin', address: SAVED, verified: true, ...entry }))),
      );

    it('returns exactly what will be sent: the gross amount, plain decimals, the fee as the maximum', async () => {
      expect(await withdrawals.prepare(instruction)).toEqual({
        request: { asset: 'XXBT', key: 'btc-wallet-1', address: SAVED, amount: '0.0001501', max_fee: '0.00015' },
        clientRef: null,
        submissionDeadline: null,
      });
    });

    it('reads the nonce window of the key each time, and refuses unless it is 0', async () => {
      await withdrawals.prepare(instruction);
      harness.stub.on('GetApiKeyInfo', () => result({ ...documented.GetApiKeyInfo, nonceWindow: 10_000 }));
      await expect(withdrawals.prepare(instruction)).rejects.toMatchObject({ kind: 'refused', reason: 'nonce_window' });
      harness.stub.on('GetApiKeyInfo', (_call, response) => void response.writeHead(503).end());
      await expect(withdrawals.prepare(instruction)).rejects.toMatchObject({ kind: 'unavailable' });
    });

    it('refuses an address that is not saved', async () => {
      await expect(withdrawals.prepare({ ...instruction, address: OTHER })).rejects.toMatchObject({
        ...INVALID_ADDRESS,
        reason: 'address_not_allowlisted',
      });
    });

    it('refuses an address that is saved for another method or asset', async () => {
      book({ key: 'a', method: 'Bitcoin Lightning' }, { key: 'b', asset: 'XETH' });
      await expect(withdrawals.prepare(instruction)).rejects.toMatchObject(INVALID_ADDRESS);
    });

    it('refuses an address whose email was not confirmed', async () => {
      book({ key: 'a', verified: false });
      await expect(withdrawals.prepare(instruction)).rejects.toMatchObject({ reason: 'address_not_confirmed' });
    });

    it('uses the confirmed entry with the first key when several entries are equal', async () => {
      book({ key: 'c' }, { key: 'a', verified: false }, { key: 'b' });
      expect((await withdrawals.prepare(instruction)).request['key']).toBe('b');
    });

    it('refuses a saved address with another tag', async () => {
      book({ key: 'a', memo: '7' });
      await expect(withdrawals.prepare(instruction)).rejects.toMatchObject(INVALID_ADDRESS);
      expect((await withdrawals.prepare({ ...instruction, tag: '7' })).request['key']).toBe('a');
    });
  });

  describe('a refusal of the code', () => {
    const request = { asset: 'XXBT', key: 'btc-wallet-1', amount: '0.725', address: SAVED, max_fee: '0.00015' };

    // A code may work only once, and no page says that Kraken checks the code after the nonce. So the second copy of an
    // executed request may get these errors.
    it.each([
      ['EAPI:Invalid OTP', '123456', { kind: 'unknown' }],
      ['EAPI:Invalid OTP', null, { kind: 'unknown' }],
      ['EAPI:Invalid signature', '123456', { kind: 'unknown' }],
      ['EAPI:Invalid signature', null, { kind: 'rejected', code: 'WALLET_INVALID_CREDENTIALS' }],
      ['EAPI:OTP required', '123456', { kind: 'verification_required' }],
      ['EAPI:OTP required', null, { kind: 'verification_required' }],
    ])('by %s after the code %j has the outcome %j', async (error, code, outcome) => {
      harness.stub.on('Withdraw', () => refusal(error));
      const codes = code === null ? {} : { twofa: new Secret(code) };
      const prepared = { request, clientRef: null, submissionDeadline: null };
      const sent = withdrawals.submit(prepared, { beforeSend: () => undefined, proof: { codes } });
      expect(await sent).toMatchObject(outcome);
    });
  });

  describe('find', () => {
    const [record] = documented.WithdrawStatus;
    const sought = {
      asset: 'BTC',
      network: 'bitcoin',
      request: { asset: 'XXBT', key: 'btc-wallet-1', address: SAVED, amount: '0.72505', max_fee: '0.0002' },
      clientRef: null,
      exchangeId: null,
      notBefore: new Date((record.time - 60) * 1000),
    };

    it('finds the withdrawal that was sent', async () => {
      expect(await withdrawals.find(sought)).toEqual([
        {
          exchangeId: 'FTQcuak-V6Za8qrWnhzTx67yYHz8Tg',
          status: 'pending',
          isCertain: true,
          rawStatus: 'Pending',
          hash: '29323ce235cee8dae22503caba7',
          amountNoFee: Amount.of('0.72485'),
          fee: Amount.of('0.0002'),
          at: new Date(record.time * 1000),
        },
      ]);
      expect(harness.stub.callsOf('WithdrawStatus')[0]?.params).toMatchObject({
        asset: 'XXBT',
        start: String(record.time - 60),
      });
    });

    it('finds a withdrawal in the first second of the search, because times are rounded down', async () => {
      expect(await withdrawals.find({ ...sought, notBefore: new Date(record.time * 1000 + 900) })).toHaveLength(1);
    });

    it('ignores older records, even if Kraken lists them', async () => {
      expect(await withdrawals.find({ ...sought, notBefore: new Date((record.time + 1) * 1000) })).toEqual([]);
    });
  });
});
