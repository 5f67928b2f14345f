import { randomUUID } from 'node:crypto';
import type { Input } from '#client';
import { until } from '#platform/testing';
import { refusalOf } from '../support/causeway-client.js';
import { keyOf, tradingExchanges } from '../support/signed-exchanges.js';
import { TestApp, type TestProjectWithClient, type TestWallet } from '../support/test-app.js';

/** How late the exchange shows an order. */
const LATE_MS = 1_000;
/** The lag that Causeway expects of an exchange. */
const LAG_MS = 1_500;
const MINUTE_MS = 60_000;

/** For each exchange, one of its definite refusals of orders, and the names of its endpoints. */
const lies = [
  {
    id: 'kraken',
    error: 'EService:Market in cancel_only mode',
    place: 'AddOrder',
    finds: ['OpenOrders', 'ClosedOrders'],
  },
  { id: 'binance', error: '-1121', place: 'binance.order.place', finds: ['binance.order'] },
  { id: 'okx', error: '51121', place: 'okx.order.place', finds: ['okx.order'] },
  { id: 'gate', error: 'INVALID_PRECISION', place: 'gate.order.place', finds: ['gate.order', 'gate.orders'] },
] as const;
type Lie = (typeof lies)[number];

describe('orders at an exchange that executes them and answers with a refusal', () => {
  let app: TestApp;
  let project: TestProjectWithClient;
  let count = 0;

  beforeAll(async () => {
    app = await TestApp.create({
      worker: true,
      env: { EXCHANGE_TIMEOUT_MS: '10000', EXCHANGE_SUBMIT_TIMEOUT_MS: '10000' },
      overrides: {
        EXCHANGE_LAG_MAX_MS: LAG_MS,
        ORDER_SWEEP_MS: 50,
        ORDER_CHECK_SECONDS: 1,
        ORDER_CHECK_MAX_SECONDS: 1,
        ORDER_FRESH_MS: 0,
        ORDER_SPACING_SECONDS: 0,
        ORDER_COMPARISON_SECONDS: 1,
      },
    });
    project = await app.project();
  });
  afterEach(() => app.sandbox.calm());
  afterAll(() => app.close());

  /** A wallet, and an order that sells for the given price: a low one fills at once, a high one stays open. */
  async function trader(
    id: Input<'connectWallet'>['exchange'],
  ): Promise<{ wallet: TestWallet; order: (price: string) => SentOrder }> {
    const balances = { BTC: '5', USD: '100000', USDT: '100000' };
    const facts = tradingExchanges.find((each) => each.id === id);
    const routeId = `${id}:spot:BTC-${id === 'gate' ? 'USDT' : (facts?.trading.quote ?? 'USD')}`;
    const order = (price: string): SentOrder => ({ routeId, volume: '0.0125', side: 'sell', price });
    if (id === 'kraken') return { wallet: await app.wallet(project, { balances }), order };
    const account = await app.sandbox.open({ balances });
    const clients = app.clientsOf(project, `${id}-${++count}`);
    const { apiKey, apiSecret } = account;
    const key = facts === undefined ? { apiKey, apiSecret } : keyOf(facts, account);
    await clients.causeway.connectWallet({ exchange: id, ...key });
    return { wallet: { ...clients, account }, order };
  }
  const lie = (wallet: TestWallet, { place, error }: Pick<Lie, 'place' | 'error'>): Promise<unknown> =>
    app.sandbox.arm({ endpoint: place, fault: 'executed_refusal', error, count: null, apiKey: wallet.account.apiKey });
  const hide = async (wallet: TestWallet, { finds }: Pick<Lie, 'finds'>, delayMs: number): Promise<void> => {
    const { apiKey } = wallet.account;
    for (const endpoint of finds)
      await app.sandbox.arm({ endpoint, fault: 'history_lags', count: null, delayMs, apiKey });
  };

  describe.each(lies)('at $id', (facts) => {
    it.each([
      ['fills', '20000', 'filled'],
      ['keeps open', '175000', 'open'],
    ] as const)('get the order that the exchange %s, once for all repeats of a key', async (_does, price, status) => {
      const { wallet, order } = await trader(facts.id);
      await lie(wallet, facts);
      await hide(wallet, facts, LATE_MS);
      const idempotencyKey = randomUUID();
      const placed = await wallet.causeway.placeOrder(order(price), { idempotencyKey });
      await app.sandbox.calm();
      for (let repeats = 0; repeats < 3; repeats++)
        expect((await wallet.causeway.placeOrder(order(price), { idempotencyKey })).orderId).toBe(placed.orderId);
      await until('the order is found', async () => {
        const { status: now } = await wallet.causeway.getOrder({ orderId: placed.orderId });
        return now === status;
      });
      expect(await app.sandbox.orders(wallet.account)).toHaveLength(1);
    });

    it('are unknown while the exchange hides them but not the balance that they hold, and are then found', async () => {
      const { wallet, order } = await trader(facts.id);
      await lie(wallet, facts);
      await hide(wallet, facts, 10 * MINUTE_MS);
      const idempotencyKey = randomUUID();
      const { orderId, status } = await wallet.causeway.placeOrder(order('175000'), { idempotencyKey });
      expect(status).toBe('unknown');
      await app.sandbox.calm();
      await until('the order is found', async () => (await wallet.causeway.getOrder({ orderId })).status === 'open');
      expect((await wallet.causeway.placeOrder(order('175000'), { idempotencyKey })).orderId).toBe(orderId);
      expect(await app.sandbox.orders(wallet.account)).toHaveLength(1);
    });

    it('are refused, and their key returns the refusal, when the exchange has no order', async () => {
      const { wallet, order } = await trader(facts.id);
      await app.sandbox.arm({
        endpoint: facts.place,
        fault: 'definite_refusal',
        error: facts.error,
        apiKey: wallet.account.apiKey,
      });
      const idempotencyKey = randomUUID();
      const place = () => refusalOf(wallet.causeway.placeOrder(order('20000'), { idempotencyKey }));
      const first = await place();
      expect(await place()).toMatchObject({ code: first.code, status: first.status, result: first.result });
      expect(await app.sandbox.orders(wallet.account)).toEqual([]);
      expect(await app.sandbox.countCalls(wallet.account, facts.place)).toBe(1);
    });
  });

  it.each(['binance', 'bybit', 'kucoin', 'gemini'] as const)(
    'end as canceled at %s, which has no submission deadline, when they never arrived; equal orders are then possible',
    async (id) => {
      const { wallet, order } = await trader(id);
      await app.sandbox.arm({ endpoint: `${id}.order.place`, fault: 'request_lost', apiKey: wallet.account.apiKey });
      const idempotencyKey = randomUUID();
      const { orderId, status } = await wallet.causeway.placeOrder(order('175000'), { idempotencyKey });
      expect(status).toBe('unknown');
      expect((await refusalOf(wallet.causeway.placeOrder(order('175000')))).status).toBe(409);
      let passed = 0;
      await until('the order is settled', async () => {
        app.clock.advance(MINUTE_MS);
        passed += MINUTE_MS;
        return (await wallet.causeway.getOrder({ orderId })).status !== 'unknown';
      });
      expect(await wallet.causeway.getOrder({ orderId })).toMatchObject({
        status: 'canceled',
        rawStatus: 'not_placed',
      });
      expect(passed).toBeGreaterThan(10 * MINUTE_MS);
      expect(await wallet.causeway.placeOrder(order('175000'), { idempotencyKey })).toMatchObject({ orderId });
      expect((await wallet.causeway.placeOrder(order('175000'))).status).toBe('open');
      expect(await app.sandbox.orders(wallet.account)).toHaveLength(1);
    },
  );
});

interface SentOrder {
  routeId: string;
  volume: string;
  side: 'sell';
  price: string;
}
