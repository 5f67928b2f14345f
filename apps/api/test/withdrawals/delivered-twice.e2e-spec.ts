import { randomUUID } from 'node:crypto';
import { until } from '#platform/testing';
import { PartnerSandbox } from '../support/partner-sandbox.js';
import { TestApp, type TestProjectWithClient } from '../support/test-app.js';
import { btcQuote, settled } from '../support/withdrawal-client.js';

const SETTLE_STEP_MS = 5_000;

/** The network delivers one request twice, and we get the response to the second copy. */
describe('a request that reaches the exchange twice', () => {
  let app: TestApp;
  let project: TestProjectWithClient;

  beforeAll(async () => {
    app = await TestApp.create({ worker: true, overrides: { ORDER_SWEEP_MS: 50, ORDER_CHECK_SECONDS: 1 } });
    project = await app.project();
  });
  afterEach(() => app.sandbox.calm());
  afterAll(() => app.close());

  it('leads to one withdrawal, which is pending until the worker finds the exchange’s record', async () => {
    const wallet = await app.wallet(project);
    const { id } = await btcQuote(wallet, '0.25');
    const { apiKey } = wallet.account;
    await app.sandbox.arm({ endpoint: 'Withdraw', fault: 'delivered_twice', apiKey });
    const first = await wallet.causeway.executeQuote({ quoteId: id });
    expect([first.success, first.result.status]).toEqual([true, 'pending']);
    expect(await wallet.causeway.executeQuote({ quoteId: id })).toEqual(first);

    const done = await settled(app, wallet, first.result.transactionId, SETTLE_STEP_MS);
    const [booked, ...others] = await app.sandbox.withdrawals(wallet.account);
    expect(others).toEqual([]);
    expect(done).toMatchObject({ status: 'ok', amount: 0.25, exchangeTransactionId: booked?.refid });
    expect(await app.sandbox.countCalls(wallet.account, 'Withdraw')).toBe(1);
  });

  it('leads to one market order, which is unknown until the worker finds it filled', async () => {
    const wallet = await app.wallet(project, { balances: { BTC: '5', USD: '100000' } });
    const { apiKey } = wallet.account;
    const idempotencyKey = randomUUID();
    const order = { routeId: 'kraken:spot:BTC-USD', volume: '0.0125', side: 'sell' } as const;
    const place = () => wallet.causeway.placeOrder(order, { idempotencyKey });
    await app.sandbox.arm({ endpoint: 'AddOrder', fault: 'delivered_twice', apiKey });
    const { orderId, status, txid } = await place();
    expect([status, txid]).toEqual(['unknown', []]);
    expect((await place()).orderId).toBe(orderId);

    await until('the order is found', async () => (await wallet.causeway.getOrder({ orderId })).status !== 'unknown');
    const found = await wallet.causeway.getOrder({ orderId });
    expect(found).toMatchObject({ status: 'filled', executedVolume: '0.0125' });
    expect(await app.sandbox.orders(wallet.account)).toHaveLength(1);
    expect(await app.sandbox.countCalls(wallet.account, 'AddOrder')).toBe(1);
  });

  it('leads to one withdrawal at the partner API of the sandbox exchange', async () => {
    const partner = new PartnerSandbox(app, project);
    const wallet = await partner.wallet({ mode: 'none', methods: [], relation: 'AND' });
    const { id } = await partner.quote(wallet);
    const apiKey = wallet.account.token;
    await app.sandbox.arm({ endpoint: 'partner.withdraw', fault: 'delivered_twice', apiKey });
    const { result } = await wallet.causeway.executeQuote({ quoteId: id });
    expect(result.status).toBe('pending');
    const done = await settled(app, wallet, result.transactionId, SETTLE_STEP_MS);
    const [booked, ...others] = await app.sandbox.withdrawals(wallet.account);
    expect(others).toEqual([]);
    expect(done).toMatchObject({ status: 'ok', exchangeTransactionId: booked?.refid });
  });
});
