import { ADDRESS_LENGTH_MAX } from '#exchange';
import type { Answer } from '../support/documented-responses.js';
import { TestApp, type TestWallet } from '../support/test-app.js';
import {
  btcQuote,
  execute,
  quote,
  savedAddress,
  type ErrorBody,
  type QuoteBody,
  type QuoteRequest,
} from '../support/withdrawal-client.js';

interface BalanceBody {
  lastSyncAt: string;
  balances: {
    asset: string;
    amount: number;
    networks: { id: string; addressRegex: string; minWithdrawal: string; displayName: string }[];
  }[];
}

interface FeeBody {
  asset: string;
  exchange: string;
  networks: { network: string; fee: number; feeAsset: string; feeType: string; minimumWithdrawal: number }[];
}

const MINUTE_MS = 60_000;

function fieldsOf({ body }: Answer<ErrorBody>): string[] {
  return (body.result?.fields ?? []).map(({ field }) => field);
}

describe('before a withdrawal', () => {
  let app: TestApp;
  let wallet: TestWallet;

  beforeAll(async () => {
    app = await TestApp.create();
    wallet = await app.wallet(await app.project(), { balances: { BTC: '5', ETH: '80', XRP: '20000', USD: '100' } });
  });
  afterEach(() => app.sandbox.calm());
  afterAll(() => app.close());

  describe('the withdrawable balance', () => {
    const balance = (query = ''): Promise<Answer<BalanceBody>> =>
      wallet.http.get(`/v0/wallet/withdraw/balance${query}`);

    it('lists free balances with the networks for their withdrawal', async () => {
      const { status, body } = await balance();
      expect(status).toBe(200);
      expect(body.balances.map(({ asset, amount }) => [asset, amount])).toEqual(
        expect.arrayContaining([
          ['BTC', 5],
          ['ETH', 80],
          ['XRP', 20000],
          ['USD', 100],
        ]),
      );
      const networksOf = (asset: string) => body.balances.find((entry) => entry.asset === asset)?.networks ?? [];
      expect(networksOf('USD')).toEqual([]);
      expect(networksOf('BTC').map(({ id }) => id)).toContain('bitcoin');
      const bitcoin = networksOf('BTC').find(({ id }) => id === 'bitcoin');
      expect(savedAddress(wallet, 'BTC', 'Bitcoin')).toMatch(new RegExp(`^(?:${bitcoin?.addressRegex})$`));
    });

    it('calls the exchange only when the stored balances are older than the threshold', async () => {
      const calls = (): Promise<number> => app.sandbox.countCalls(wallet.account, 'BalanceEx');
      await balance();
      const before = await calls();
      const stored = await balance('?balanceRefreshThreshold=5');
      await balance('?refreshThresholdMinutes=5');
      expect(await calls()).toBe(before);
      app.clock.advance(6 * MINUTE_MS);
      const fresh = await balance('?refreshThresholdMinutes=5');
      expect(await calls()).toBe(before + 1);
      expect(Date.parse(fresh.body.lastSyncAt)).toBeGreaterThan(Date.parse(stored.body.lastSyncAt));
      await balance();
      expect(await calls()).toBe(before + 2);
    });

    it.each([
      'refreshThresholdMinutes=-1',
      'balanceRefreshThreshold=-1',
      'balanceRefreshThreshold=1.5',
      'autoDeleteIfInvalid=maybe',
    ])('refuses %s, and the error names the parameter', async (query) => {
      const answer = await wallet.http.get<ErrorBody>(`/v0/wallet/withdraw/balance?${query}`);
      expect(answer.status).toBe(400);
      expect(fieldsOf(answer)).toEqual([query.split('=')[0]]);
    });
  });

  describe('the fee information', () => {
    const fee = (query: string): Promise<Answer<FeeBody & ErrorBody>> =>
      wallet.http.get(`/v0/wallet/info/fee?${query}`);

    it('lists every network of the asset, or the requested one', async () => {
      const all = await fee('asset=BTC');
      expect(all.body).toMatchObject({ asset: 'BTC', exchange: 'kraken' });
      expect(all.body.networks.length).toBeGreaterThan(1);
      const one = await fee('asset=btc&network=bitcoin&amount=0.1');
      expect(one.body.networks).toMatchObject([{ network: 'bitcoin', fee: 0.00015, feeAsset: 'BTC' }]);
    });

    it.each([
      ['', 400, 'INFO_ASSET_REQUIRED'],
      ['asset=', 400, 'INFO_ASSET_REQUIRED'],
      ['asset=NOSUCH', 404, 'GENERIC_NOT_FOUND'],
      ['asset=BTC&network=tron', 400, 'WITHDRAWAL_NETWORK_NOT_SUPPORTED'],
      ['asset=BTC&amount=1e3', 400, 'GENERIC_VALIDATION_ERROR'],
    ])('refuses "%s" with %i %s', async (query, status, type) => {
      const answer = await fee(query);
      expect([answer.status, answer.body.type]).toEqual([status, type]);
    });
  });

  describe('a quote', () => {
    const btc = (request: QuoteRequest = {}): Promise<Answer<QuoteBody & ErrorBody>> =>
      quote(wallet, {
        asset: 'BTC',
        network: 'bitcoin',
        amount: '0.1',
        address: savedAddress(wallet, 'BTC', 'Bitcoin'),
        ...request,
      });

    it('adds the fee to the amount: the receiver gets the amount', async () => {
      const { status, body } = await btc();
      expect(status).toBe(200);
      expect(body.exact).toEqual({
        amountNoFee: '0.1',
        estimatedFee: '0.00015',
        amountWithFee: '0.10015',
        estimatedTotal: '0.10015',
      });
      expect(body).toMatchObject({ amountNoFee: 0.1, estimatedFee: 0.00015, amountWithFee: 0.10015, tag: null });
      expect(body.requirements).toEqual([]);
    });

    it('takes the fee out of the amount on request: the account is debited the amount', async () => {
      const { body } = await btc({ includeFee: true });
      expect(body.exact).toEqual({
        amountNoFee: '0.09985',
        estimatedFee: '0.00015',
        amountWithFee: '0.1',
        estimatedTotal: '0.1',
      });
    });

    it('expires 300 seconds after its creation', async () => {
      const before = app.clock.now().getTime();
      const { expiresAt } = (await btc()).body;
      const after = app.clock.now().getTime();
      expect(expiresAt).toBeGreaterThanOrEqual(before + 300_000);
      expect(expiresAt).toBeLessThanOrEqual(after + 300_000);
    });

    it('infers the network from the address when only one network fits, and is refused with a list of networks otherwise', async () => {
      const found = await btc({ network: undefined });
      expect(found.body.network).toBe('bitcoin');
      const address = savedAddress(wallet, 'ETH', 'Ether');
      const several = await quote(wallet, { asset: 'ETH', amount: '1', address });
      expect(several.status).toBe(400);
      expect(fieldsOf(several)).toEqual(['network']);
      expect(several.body.result?.networks?.length).toBeGreaterThan(1);
      const named = await quote(wallet, { asset: 'eth', amount: '1', address, network: 'ERC20' });
      expect(named.body.network).toBe('ethereum');
    });

    it('has the requirement address_allowlist when the account does not allow the address yet', async () => {
      const { status, body } = await btc({ address: 'bc1q5r7pezjvsdku62zap44ryk6ssfnrqre58gqvvq' });
      expect(status).toBe(200);
      expect(body.requirements.map(({ type }) => type)).toContain('address_allowlist');
    });

    const amounts: [string, unknown][] = [
      ...['0', '0.0', '-1', '+1', '1e3', '1e9000000', '1E5', 'NaN', 'Infinity', '0x10', '1,5', '1.', '.5', '', ' 1'],
      ...['1 ', '1_000', '١', '１', '1.0.0', '1'.repeat(21), `0.${'1'.repeat(19)}`, '1'.repeat(20_000), '1\u0000'],
      ...[1, 0.1, null, true, {}, [], ['1'], undefined],
    ].map((amount) => [JSON.stringify(amount)?.slice(0, 40) ?? 'absent', amount]);

    it.each(amounts)('refuses the amount %s, and the error names the field', async (_, amount) => {
      const answer = await btc({ amount });
      expect(answer.status).toBe(400);
      expect(answer.body.type).toBe('GENERIC_VALIDATION_ERROR');
      expect(fieldsOf(answer)).toEqual(['amount']);
    });

    it('is refused with the allowed numbers of digits when the amount has too many digits', async () => {
      const { body } = await btc({ amount: '1'.repeat(21) });
      expect(body).toMatchObject({ error: expect.stringContaining('at most 20 digits before and 18 after the point') });
    });

    it('refuses an amount with more decimals than the asset has, and never rounds', async () => {
      const tooFine = await btc({ amount: '0.100000001' });
      expect(tooFine.body.type).toBe('GENERIC_VALIDATION_ERROR');
      expect(fieldsOf(tooFine)).toEqual(['amount']);
      expect((await btc({ amount: '0.12345678' })).body.exact.amountWithFee).toBe('0.12360678');
    });

    const eth = '0xf0787d73ec33e95c9be985816eed37c21f1a39ba';
    it.each<[string, QuoteRequest, string]>([
      ['an asset that the exchange does not know', { asset: 'NOSUCH', network: 'x' }, 'WITHDRAWAL_ASSET_NOT_SUPPORTED'],
      ['an asset that cannot be withdrawn', { asset: 'USD', network: 'x' }, 'WITHDRAWAL_ASSET_NOT_SUPPORTED'],
      ['a network that does not exist', { network: 'nowhere', address: eth }, 'WITHDRAWAL_NETWORK_NOT_SUPPORTED'],
      ['a network of other assets', { network: 'tron', address: eth }, 'WITHDRAWAL_NETWORK_NOT_SUPPORTED'],
      ['an address of another network', { address: eth, amount: '1000' }, 'WITHDRAWAL_INVALID_ADDRESS'],
      ['a tag on a network without tags', { tag: '7', amount: '0.100000001' }, 'GENERIC_VALIDATION_ERROR'],
      ['an amount below the minimum', { amount: '0.0001' }, 'WITHDRAWAL_AMOUNT_BELOW_MINIMUM'],
      ['more than the balance', { amount: '6' }, 'WITHDRAWAL_INSUFFICIENT_BALANCE'],
      [
        'more than the balance, fee included',
        { amount: '5.00000001', includeFee: true },
        'WITHDRAWAL_INSUFFICIENT_BALANCE',
      ],
      ['the whole balance, fee not included', { amount: '5' }, 'WITHDRAWAL_INSUFFICIENT_BALANCE_FOR_FEE'],
      ['an empty address', { address: '' }, 'GENERIC_VALIDATION_ERROR'],
      ['an address that is too long', { address: '1'.repeat(ADDRESS_LENGTH_MAX + 1) }, 'GENERIC_VALIDATION_ERROR'],
    ])('refuses %s with the documented error code', async (_, request, type) => {
      const answer = await btc(request);
      expect(answer.status).toBe(400);
      expect(answer.body.type).toBe(type);
    });

    it('refuses more than the maximum of the network', async () => {
      const rich = await app.wallet(await app.project(), { balances: { BTC: '500' } });
      const address = savedAddress(rich, 'BTC', 'Bitcoin');
      const answer = await quote(rich, { asset: 'BTC', network: 'bitcoin', amount: '200', address });
      expect(answer.body.type).toBe('WITHDRAWAL_AMOUNT_ABOVE_MAXIMUM');
    });

    it('accepts the whole balance when the fee is included', async () => {
      expect((await btc({ amount: '5', includeFee: true })).body.exact.amountWithFee).toBe('5');
    });

    it('requires a tag when an earlier quote for the address had a tag', async () => {
      const address = savedAddress(wallet, 'XRP', 'Ripple XRP');
      const xrp = (request: QuoteRequest) => quote(wallet, { asset: 'XRP', amount: '50', address, ...request });
      expect((await xrp({ tag: '1000001' })).body.tag).toBe('1000001');
      const lost = await xrp({});
      expect(lost.body.type).toBe('GENERIC_VALIDATION_ERROR');
      expect(fieldsOf(lost)).toEqual(['tag']);
      expect((await xrp({ tag: null })).body.tag).toBeNull();
      expect(fieldsOf(await xrp({ tag: 'not-a-number' }))).toEqual(['tag']);
    });

    it('requires a tag when an earlier execution contained one, even after the wallet was connected again', async () => {
      const payer = await app.wallet(await app.project(), { balances: { XRP: '20000' } });
      const { apiKey, apiSecret } = payer.account;
      const address = savedAddress(payer, 'XRP', 'Ripple XRP');
      const xrp = (request: QuoteRequest = {}) => quote(payer, { asset: 'XRP', amount: '50', address, ...request });
      const [first, second] = [await xrp(), await xrp({ amount: '60' })];
      expect((await execute(payer, first.body.id, { tag: '1000001' })).status).toBe(200);
      expect(fieldsOf(await xrp())).toEqual(['tag']);
      // A quote that was created before the execution with a tag also needs a tag now.
      expect(fieldsOf(await execute(payer, second.body.id))).toEqual(['tag']);
      expect(fieldsOf(await execute(payer, second.body.id, { params: { dryRun: true } }))).toEqual(['tag']);
      expect((await execute(payer, second.body.id, { tag: '1000001' })).status).toBe(200);

      expect((await payer.http.delete('/v0/wallet')).status).toBe(200);
      const again = await payer.http.post('/v0/wallet/kraken/connect', { body: { apiKey, apiSecret } });
      expect(again.status).toBe(201);
      expect(fieldsOf(await xrp())).toEqual(['tag']);
      expect((await xrp({ tag: null })).status).toBe(200);
    });

    it('and its execution get 429 with Retry-After when the exchange limits the calls', async () => {
      const limited = await app.wallet(await app.project());
      const { id } = await btcQuote(limited);
      await app.sandbox.arm({ endpoint: '*', fault: 'rate_limit', count: null, apiKey: limited.account.apiKey });
      const address = savedAddress(limited, 'BTC', 'Bitcoin');
      const calls = [
        await quote(limited, { asset: 'BTC', network: 'bitcoin', amount: '0.01', address }),
        await execute(limited, id),
        await execute(limited, id, { params: { dryRun: true } }),
      ];
      for (const { status, body, headers } of calls) {
        expect([status, body.type]).toEqual([429, 'WITHDRAWAL_RATE_LIMIT_EXCEEDED']);
        expect(Number(headers['retry-after'])).toBeGreaterThan(0);
      }
    });

    it('is refused with WITHDRAWAL_PROVIDER_ERROR when the exchange is unavailable', async () => {
      await app.sandbox.arm({ endpoint: '*', fault: 'error_before', count: null, apiKey: wallet.account.apiKey });
      const answer = await btc();
      expect([answer.status, answer.body.type]).toEqual([502, 'WITHDRAWAL_PROVIDER_ERROR']);
    });
  });
});
