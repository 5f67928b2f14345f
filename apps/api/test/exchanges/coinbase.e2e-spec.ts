import type { HttpClient } from '../support/http-client.js';
import { TestApp, type TestProjectWithClient } from '../support/test-app.js';
import type { ErrorBody } from '../support/withdrawal-client.js';

interface CoinbaseKey {
  accountId: string;
  apiKey: string;
  apiSecret: string;
}

interface BalanceBody extends ErrorBody {
  balances: unknown[];
}

/** Coinbase has only read access here: each endpoint refuses other actions with its own error code. */
describe('a wallet of Coinbase', () => {
  let app: TestApp;
  let project: TestProjectWithClient;
  let http: HttpClient;

  beforeAll(async () => {
    app = await TestApp.create();
    project = await app.project();
    http = project.http.with({ 'x-svc-wallet-id': 'coinbase-1' });
    const { apiKey, apiSecret } = await key({ balances: { BTC: '1.5' } });
    const { status } = await http.post('/v0/wallet/coinbase/connect', { body: { apiKey, apiSecret } });
    expect(status).toBe(201);
  });
  afterAll(() => app.close());

  async function key(body: object): Promise<CoinbaseKey> {
    const answer = await fetch(`${app.sandbox.url}/control/coinbase/accounts`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    return (await answer.json()) as CoinbaseKey;
  }

  it('is shown, and its key can be checked', async () => {
    expect(await http.get('/v0/wallet')).toMatchObject({ status: 200, body: { exchange: 'coinbase' } });
    expect(await http.get('/v0/wallet/ping')).toMatchObject({ status: 200 });
  });

  it('is not connected with half a key', async () => {
    const { apiKey } = await key({});
    const other = project.http.with({ 'x-svc-wallet-id': 'coinbase-2' });
    const { status } = await other.post('/v0/wallet/coinbase/connect', { body: { apiKey } });
    expect(status).toBe(400);
  });

  it('shows its balances, without withdrawal networks', async () => {
    const { status, body } = await http.get<BalanceBody>('/v0/wallet/withdraw/balance');
    expect([status, body.balances]).toEqual([
      200,
      [{ asset: 'BTC', amount: 1.5, networks: [], exact: { amount: '1.5' } }],
    ]);
  });

  const address = 'bc1qxdsh4sdd29h6ldehz0se5c61asq8cgwyjf2y3z';
  const withdrawal = { asset: 'BTC', network: 'bitcoin', amount: '0.01', address };
  const order = { routeId: 'coinbase:spot:BTC-USD', volume: '0.01', price: '175000' };

  it.each([
    ['GET', '/v0/wallet/info/fee?asset=BTC', undefined, 'INFO_FEE_EXCHANGE_NOT_SUPPORTED'],
    ['GET', '/v0/wallet/deposit/address?asset=BTC&network=bitcoin', undefined, 'DEPOSIT_EXCHANGE_NOT_SUPPORTED'],
    ['POST', '/v0/wallet/withdraw/quote', withdrawal, 'WITHDRAWAL_ASSET_NOT_SUPPORTED'],
    ['POST', '/v0/wallet/trade/order', order, 'TRADING_EXCHANGE_NOT_SUPPORTED'],
  ])('refuses %s %s with the code of the endpoint', async (method, path, body, type) => {
    const answer = method === 'GET' ? await http.get<ErrorBody>(path) : await http.post<ErrorBody>(path, { body });
    expect([answer.status, answer.body.type]).toEqual([400, type]);
  });

  it('has tradable pairs, but no transactions and no identity', async () => {
    const pairs = await http.get<{ exchange: string; routes: unknown[] }>('/v0/wallet/trade/tradable-assets');
    expect([pairs.status, pairs.body.exchange, pairs.body.routes.length > 0]).toEqual([200, 'coinbase', true]);
    const transactions = await http.get<{ transactions: unknown[] }>('/v0/wallet/transactions');
    expect([transactions.status, transactions.body.transactions]).toEqual([200, []]);
    const identity = await http.get<ErrorBody>('/v0/wallet/kyc');
    expect([identity.status, identity.body.type]).toEqual([404, 'WALLET_IDENTITY_NOT_FOUND']);
  });
});
