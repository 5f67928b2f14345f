import { Amount } from '#money';
import { Secret } from '#platform/crypto';
import type {
  ExchangeSession,
  PreparedWithdrawal,
  SubmitOptions,
  WithdrawalCapability,
} from '../../port/exchange.port.js';
import { coinbaseDocumented, speakCoinbase } from '../../testing/coinbase-documentation.js';
import { ExchangeHarness } from '../../testing/exchange-harness.js';

const WALLET = '2bbf394c-193b-5b2a-9155-3b4732659ede';
const SEND = `POST /v2/accounts/${WALLET}/transactions`;
const CODE_NEEDED = '{"errors":[{"id":"two_factor_required","message":"Two-step verification code required"}]}';
const [accountOfBtc] = coinbaseDocumented.accounts.first.accounts;
/** Coinbase's documentation: coinbase-app/track-apis/accounts */
const wallet = {
  id: WALLET,
  name: 'My Wallet',
  primary: true,
  type: 'wallet',
  resource: 'account',
  currency: { code: 'BTC', name: 'Bitcoin', exponent: 8, type: 'crypto' },
  balance: { amount: '39.59000000', currency: 'BTC' },
};
const INSTRUCTION = {
  asset: 'BTC',
  network: 'bitcoin',
  address: '1AUJ8z5RuHRTqD1eikyfUUetzGmdWLGkpT',
  tag: null,
  amountNoFee: Amount.of('0.1'),
  fee: Amount.of('0.0001'),
  amountWithFee: Amount.of('0.1001'),
  clientRef: '0192f1c0a1b27c3d8e4f5a6b7c8d9e0f',
};

describe('with an access token for Coinbase:', () => {
  let harness: ExchangeHarness;
  let opened = 0;

  beforeAll(async () => {
    harness = await ExchangeHarness.start({ WITHDRAWAL_FEE_ESTIMATES: 'coinbase:BTC:bitcoin=0.0001' });
  });
  afterAll(() => harness.close());
  beforeEach(() => {
    const { stub } = harness;
    speakCoinbase(stub);
    stub.on('GET /v2/accounts', () => ({ pagination: { next_uri: null }, data: [wallet] }));
    stub.on('GET /v2/accounts/BTC', () => ({ data: wallet }));
    stub.on(SEND, (_call, response) => void response.writeHead(402).end(CODE_NEEDED));
    stub.calls.length = 0;
  });

  const session = (): Promise<ExchangeSession> => {
    const credentials = { apiKey: new Secret(`token-${++opened}`) };
    return harness.exchanges.open(harness.target({ exchange: 'coinbase', credentials }));
  };
  const withdrawals = async (): Promise<WithdrawalCapability> => {
    const { withdrawals: capability } = await session();
    if (capability === undefined) throw new Error('no withdrawals');
    return capability;
  };
  const codeOf = (code: string): SubmitOptions['proof'] => ({ codes: { twofa: new Secret(code) } });
  const beforeSend = (): void => undefined;

  it('a send is repeated with the same body, and the code in a header, after Coinbase demanded a code', async () => {
    const capability = await withdrawals();
    const prepared = await capability.prepare(INSTRUCTION);
    const first = await capability.submit(prepared, { beforeSend });
    expect(first).toMatchObject({ kind: 'verification_required', code: 'WITHDRAWAL_2FA_REQUIRED_TOTP' });
    const again: PreparedWithdrawal = await capability.prepare(INSTRUCTION);
    await capability.submit(again, { beforeSend, proof: codeOf('1234567') });
    const [asked, repeated, ...more] = harness.stub.callsOf(SEND);
    expect(more).toEqual([]);
    expect(repeated?.body).toBe(asked?.body);
    expect(asked?.json).toMatchObject({ idem: '0192f1c0-a1b2-4c3d-8e4f-5a6b7c8d9e0f', amount: '0.1' });
    expect([asked, repeated].map((call) => call?.headers['cb-2fa-token'])).toEqual([undefined, '1234567']);
    expect(prepared.request).not.toHaveProperty('CB-2FA-TOKEN');
  });

  it('a send states the same version of the API as every read', async () => {
    const capability = await withdrawals();
    await capability.submit(await capability.prepare(INSTRUCTION), { beforeSend });
    const versions = harness.stub.calls.map(({ headers }) => headers['cb-version']);
    expect(new Set(versions).size).toBe(1);
    expect(versions[0]).toMatch(/^\d{4}-\d\d-\d\d$/);
  });

  it('a send is refused where Coinbase requires data about the recipient, which the estimate reports', async () => {
    const { data } = coinbaseDocumented.user;
    harness.stub.on('GET /v2/user', () => ({ data: { ...data, country: { code: 'DE', name: 'Germany' } } }));
    const capability = await withdrawals();
    await expect(capability.prepare(INSTRUCTION)).rejects.toMatchObject({ kind: 'refused', reason: 'travel_rule' });
    const [network] = await capability.networks('BTC');
    if (network === undefined) throw new Error('no network');
    const { asset, address, tag, amountNoFee: amount } = INSTRUCTION;
    const { requirements } = await capability.estimate({ asset, address, tag, amount, network, includeFee: false });
    expect(requirements.map(({ type }) => type)).toEqual(['totp', 'travel_rule']);
  });

  /** Coinbase's page transfer-apis/travel-rule: Canada, the United Kingdom and others, and the EEA. */
  it.each([
    ...['CA', 'GB', 'BM', 'SG', 'HK', 'PH', 'AT', 'BE', 'BG', 'CY', 'CZ', 'DE', 'DK', 'EE', 'ES', 'FI', 'FR', 'GR'],
    ...['HR', 'HU', 'IE', 'IS', 'IT', 'LI', 'LT', 'LU', 'LV', 'MT', 'NL', 'NO', 'PL', 'PT', 'RO', 'SE', 'SI', 'SK'],
  ])('a send from an account of %s is refused', async (code) => {
    const { data } = coinbaseDocumented.user;
    harness.stub.on('GET /v2/user', () => ({ data: { ...data, country: { code, name: 'a country' } } }));
    const refused = (await withdrawals()).prepare(INSTRUCTION);
    await expect(refused).rejects.toMatchObject({ kind: 'refused', reason: 'travel_rule' });
  });

  it.each(['US', 'CH', 'BR'])('a send from an account of %s is prepared', async (code) => {
    const { data } = coinbaseDocumented.user;
    harness.stub.on('GET /v2/user', () => ({ data: { ...data, country: { code, name: 'a country' } } }));
    expect((await (await withdrawals()).prepare(INSTRUCTION)).request).toMatchObject({ type: 'send' });
  });

  it('a send is not sent from a primary account that does not hold the amount with its fee', async () => {
    const balance = { amount: '0.10009999', currency: 'BTC' };
    harness.stub.on('GET /v2/accounts/BTC', () => ({ data: { ...wallet, balance } }));
    const code = 'WITHDRAWAL_INSUFFICIENT_BALANCE';
    await expect((await withdrawals()).prepare(INSTRUCTION)).rejects.toMatchObject({ kind: 'refused', code });
  });

  it('a send is not offered without an estimate of its fee', async () => {
    const usdc = { ...wallet, id: 'usdc', currency: { ...wallet.currency, code: 'USDC', exponent: 6 } };
    harness.stub.on('GET /v2/accounts', () => ({ pagination: { next_uri: null }, data: [wallet, usdc] }));
    const { deposits, withdrawals: capability } = await session();
    expect((await capability?.networks())?.map(({ asset, id }) => `${asset} ${id}`)).toEqual(['BTC bitcoin']);
    expect((await deposits?.methods('USDC'))?.map(({ network }) => network)).toContain('base');
  });

  describe('an order', () => {
    const ORDERS = 'POST /api/v3/brokerage/orders';
    const order = {
      ...({ exchangeSymbol: 'BTC-USD', side: 'sell', type: 'market', volume: Amount.of('0.1'), price: null } as const),
      clientOrderId: 'ab',
      submissionDeadline: new Date(),
    };

    it('can be accepted for as long as the token is valid, because nothing else is signed', async () => {
      expect((await session()).trading?.signedForMs).toBe(3_600_000);
    });

    it('names the portfolio of the accounts that the owner has granted', async () => {
      harness.stub.on(ORDERS, () => ({ success: true, success_response: { order_id: 'one' } }));
      const { trading } = await session();
      if (trading === undefined) throw new Error('no trading');
      const outcome = await trading.place(trading.prepare(order), { beforeSend });
      expect(outcome).toMatchObject({ kind: 'accepted', exchangeIds: ['one'] });
      expect(harness.stub.callsOf(ORDERS)[0]?.json).toEqual({
        client_order_id: 'ab',
        product_id: 'BTC-USD',
        side: 'SELL',
        order_configuration: { market_market_ioc: { base_size: '0.1' } },
        retail_portfolio_id: accountOfBtc.retail_portfolio_id,
      });
    });

    it.each<object>([
      { platform: 'ACCOUNT_PLATFORM_CFM_CONSUMER' },
      { platform: 'ACCOUNT_PLATFORM_INTX' },
      { type: 'ACCOUNT_TYPE_PERP_FUTURES' },
    ])(
      'names the portfolio of the spot accounts, without the portfolio of accounts for derivatives (%s)',
      async (kind) => {
        harness.stub.on(ORDERS, () => ({ success: true, success_response: { order_id: 'one' } }));
        const accounts = [accountOfBtc, { ...accountOfBtc, uuid: 'other', ...kind, retail_portfolio_id: 'another' }];
        harness.stub.on('GET /api/v3/brokerage/accounts', () => ({ accounts, has_next: false, cursor: '' }));
        const { trading } = await session();
        const prepared = trading?.prepare(order);
        const outcome = prepared === undefined ? null : await trading?.place(prepared, { beforeSend });
        expect(outcome).toMatchObject({ kind: 'accepted', exchangeIds: ['one'] });
        const { retail_portfolio_id } = accountOfBtc;
        expect(harness.stub.callsOf(ORDERS)[0]?.json).toMatchObject({ retail_portfolio_id });
      },
    );

    it('is not sent when the granted accounts are not readable', async () => {
      const accounts = [accountOfBtc, { ...accountOfBtc, uuid: 'other', currency: null }];
      harness.stub.on('GET /api/v3/brokerage/accounts', () => ({ accounts, has_next: false, cursor: '' }));
      const { trading } = await session();
      const prepared = trading?.prepare(order);
      const outcome = prepared === undefined ? null : await trading?.place(prepared, { beforeSend });
      expect(outcome).toMatchObject({ kind: 'not_sent' });
      expect(harness.stub.callsOf(ORDERS)).toEqual([]);
    });

    it('is not sent when the granted accounts belong to several portfolios', async () => {
      const accounts = [accountOfBtc, { ...accountOfBtc, uuid: 'other', retail_portfolio_id: 'another' }];
      harness.stub.on('GET /api/v3/brokerage/accounts', () => ({ accounts, has_next: false, cursor: '' }));
      const { trading } = await session();
      const prepared = trading?.prepare(order);
      const outcome = prepared === undefined ? null : await trading?.place(prepared, { beforeSend });
      expect(outcome).toMatchObject({ kind: 'not_sent' });
      expect(harness.stub.callsOf(ORDERS)).toEqual([]);
    });
  });
});
