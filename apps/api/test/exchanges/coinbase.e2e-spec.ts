import { randomUUID } from 'node:crypto';
import { askForLink, ExchangePerson, Visitor } from '../support/connect-visitor.js';
import type { HttpClient } from '../support/http-client.js';
import type { OrderBody, PlacedBody } from '../support/order-client.js';
import { TestApp, type TestProjectWithClient } from '../support/test-app.js';
import { execute, quote, settled, type ErrorBody, type QuoteBody } from '../support/withdrawal-client.js';

interface CoinbaseKey {
  accountId: string;
  apiKey: string;
  apiSecret: string;
}

interface Owner {
  http: HttpClient;
  account: CoinbaseKey;
}

const ADDRESS = '1AUJ8z5RuHRTqD1eikyfUUetzGmdWLGkpT';
const SETTLE_STEP_MS = 5_000;
/** A withdrawal counts as never booked only after it has been missing for minutes. */
const ABSENCE_STEP_MS = 60_000;
const NEEDS_CODE = [400, 'WITHDRAWAL_2FA_REQUIRED_TOTP'];

/** Wallets of a test project at Coinbase: the API, the worker, the connector, and the sandbox exchange. */
describe('a wallet at Coinbase', () => {
  let app: TestApp;
  let project: TestProjectWithClient;
  let person: ExchangePerson;
  let count = 0;

  beforeAll(async () => {
    app = await TestApp.create({
      worker: true,
      env: { CONNECT_VISITS_PER_MINUTE: '100000', WITHDRAWAL_FEE_ESTIMATES: 'coinbase:BTC:bitcoin=0.00015' },
    });
    project = await app.project();
    person = new ExchangePerson(app.sandbox.url);
  });
  afterEach(() => app.sandbox.calm());
  afterAll(() => app.close());

  async function control<T>(method: 'GET' | 'POST', path: string, body?: object): Promise<T> {
    const answer = await fetch(`${app.sandbox.url}/control/${path}`, {
      method,
      ...(body !== undefined && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    });
    if (!answer.ok) throw new Error(await answer.text());
    return (await answer.json()) as T;
  }

  const open = () =>
    control<CoinbaseKey>('POST', 'coinbase/accounts', { balances: { BTC: '1.5', ETH: '2', USD: '100000' } });

  async function byKey(): Promise<Owner> {
    const account = await open();
    const http = project.http.with({ 'x-svc-wallet-id': `coinbase-${++count}` });
    const { apiKey, apiSecret } = account;
    const { status, body } = await http.post('/v0/wallet/coinbase/connect', { body: { apiKey, apiSecret } });
    expect([status, body]).toEqual([201, expect.anything()]);
    return { http, account };
  }

  async function byToken(): Promise<Owner> {
    const account = await open();
    const walletId = `coinbase-${++count}`;
    const link = await askForLink(project, { walletId, exchange: 'coinbase', access: 'read,deposit,trade,withdrawal' });
    const visitor = new Visitor();
    const { redirectTo } = await person.decide(await visitor.leave(link.url), { accountId: account.accountId });
    expect((await visitor.get(redirectTo)).location).toBe(link.url);
    return { http: project.http.with({ 'x-svc-wallet-id': walletId }), account };
  }

  async function quoted(owner: Owner, amount = '0.01'): Promise<QuoteBody> {
    const { status, body } = await quote(owner, { asset: 'BTC', network: 'bitcoin', amount, address: ADDRESS });
    expect([status, body]).toEqual([200, expect.anything()]);
    return body;
  }

  /** The code that Coinbase has sent last. */
  async function codeOf({ account }: Owner): Promise<string> {
    const { messages } = await control<{ messages: { code: string }[] }>(
      'GET',
      `accounts/${account.accountId}/messages`,
    );
    return messages[0]?.code ?? '';
  }

  const errorOf = ({ status, body }: { status: number; body: ErrorBody }) => [status, body.type];

  it('is shown with its exact balances, the networks of its withdrawals, and its owner', async () => {
    const { http } = await byKey();
    expect(await http.get('/v0/wallet')).toMatchObject({ status: 200, body: { exchange: 'coinbase' } });
    const { status, body } = await http.get<{ balances: { asset: string; networks: unknown[] }[] }>(
      '/v0/wallet/withdraw/balance',
    );
    const btc = body.balances.find(({ asset }) => asset === 'BTC');
    expect([status, btc]).toMatchObject([200, { exact: { amount: '1.5' }, networks: [{ id: 'bitcoin' }] }]);
    expect(body.balances.find(({ asset }) => asset === 'ETH')).toMatchObject({ networks: [] });
    expect(await http.get('/v0/wallet/kyc')).toMatchObject({
      status: 404,
      body: { type: 'WALLET_IDENTITY_NOT_FOUND' },
    });
  });

  it('is not connected with half a key', async () => {
    const { apiKey } = await open();
    const other = project.http.with({ 'x-svc-wallet-id': `coinbase-${++count}` });
    const { status } = await other.post('/v0/wallet/coinbase/connect', { body: { apiKey } });
    expect(status).toBe(400);
  });

  it('withdraws with a key, without a code', async () => {
    const owner = await byKey();
    const made = await quoted(owner);
    expect(made.exact).toMatchObject({ amountWithFee: '0.01015', amountNoFee: '0.01', estimatedFee: '0.00015' });
    expect(made.requirements).toEqual([]);
    const first = await execute(owner, made.id);
    expect([first.status, first.body.success]).toEqual([200, true]);
    const done = await settled(app, owner, first.body.result.transactionId, SETTLE_STEP_MS);
    expect(done).toMatchObject({ status: 'ok', network: 'bitcoin', addressTo: ADDRESS });
    expect(await app.sandbox.withdrawals(owner.account)).toMatchObject([{ amount: '0.01', status: 'Success' }]);
  });

  it('withdraws with a token, after the code that Coinbase has sent to the owner', async () => {
    const owner = await byToken();
    const made = await quoted(owner);
    expect(made.requirements).toEqual([expect.objectContaining({ type: 'totp' })]);
    const first = await execute(owner, made.id);
    expect(errorOf(first)).toEqual(NEEDS_CODE);
    expect(await app.sandbox.withdrawals(owner.account)).toEqual([]);
    const wrong = await execute(owner, made.id, { twofa: '0000000' });
    expect([wrong.status, wrong.body.success]).toEqual([400, undefined]);
    expect(await app.sandbox.withdrawals(owner.account)).toEqual([]);
    const right = await execute(owner, made.id, { twofa: await codeOf(owner) });
    expect([right.status, right.body.success]).toEqual([200, true]);
    expect((await execute(owner, made.id)).body).toEqual(right.body);
    const done = await settled(app, owner, right.body.result.transactionId, SETTLE_STEP_MS);
    expect(done.status).toBe('ok');
    expect(await app.sandbox.withdrawals(owner.account)).toHaveLength(1);
  });

  it.each([
    ['answer_lost', 'ok', 1],
    ['delivered_twice', 'ok', 1],
    ['error_after', 'ok', 1],
    ['request_lost', 'failed', 0],
  ] as const)('pays at most once when the code was sent: %s ends as %s', async (fault, status, paid) => {
    const owner = await byToken();
    const { id } = await quoted(owner, '0.02');
    expect(errorOf(await execute(owner, id))).toEqual(NEEDS_CODE);
    await app.sandbox.arm({ endpoint: 'coinbase.send', fault });
    const twofa = await codeOf(owner);
    const sent = await execute(owner, id, { twofa });
    expect([sent.status, sent.body.success]).toEqual([200, true]);
    const stepMs = paid === 1 ? SETTLE_STEP_MS : ABSENCE_STEP_MS;
    const done = await settled(app, owner, sent.body.result.transactionId, stepMs);
    expect(done.status).toBe(status);
    expect(await app.sandbox.withdrawals(owner.account)).toHaveLength(paid);
  });

  it('of a country with a travel rule says so in the quote, and sends nothing', async () => {
    const owner = await byToken();
    await control('POST', `accounts/${owner.account.accountId}/identity`, { country: 'DE' });
    const made = await quoted(owner);
    expect(made.requirements.map(({ type }) => type)).toEqual(['totp', 'travel_rule']);
    const { status, body } = await execute(owner, made.id);
    expect([status, body.result?.reason]).toEqual([502, 'travel_rule']);
    expect(await app.sandbox.withdrawals(owner.account)).toEqual([]);
  });

  it.each([
    ['a key', byKey],
    ['a token', byToken],
  ])('has deposit addresses, and places an order once, with %s', async (_name, connect) => {
    const owner = await connect();
    const address = await owner.http.get('/v0/wallet/deposit/address?asset=BTC&network=bitcoin');
    expect([address.status, address.body]).toEqual([200, expect.objectContaining({ network: 'bitcoin' })]);
    await app.sandbox.arm({ endpoint: 'coinbase.order.place', fault: 'answer_lost' });
    const http = owner.http.with({ 'idempotency-key': randomUUID() });
    const body = { routeId: 'coinbase:spot:BTC-USD', volume: '0.0125', side: 'sell' };
    const first = await http.post<PlacedBody>('/v0/wallet/trade/order', { body });
    expect([first.status, first.body.status]).toEqual([200, 'unknown']);
    await http.post<PlacedBody>('/v0/wallet/trade/order', { body });
    const read = await owner.http.get<OrderBody>(`/v0/wallet/trade/order/${first.body.orderId}`);
    expect(read.body).toMatchObject({ status: 'filled', executedVolume: '0.0125' });
    expect(await app.sandbox.orders(owner.account)).toHaveLength(1);
  });
});
