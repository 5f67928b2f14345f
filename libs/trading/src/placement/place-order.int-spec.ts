import pg from 'pg';
import type { DomainError } from '#platform/errors';
import { OrderHarness, type PlaceScript } from '../testing/index.js';
import { toPlacedResponse } from './place-order.dto.js';
import type { Order } from '../orders/order.entity.js';

/** The default of ORDER_DEADLINE_SECONDS. */
const DEADLINE_MS = 30_000;

let harness: OrderHarness;

beforeAll(async () => {
  harness = await OrderHarness.create({ ORDER_RATE_PER_MINUTE: '10' });
});
afterAll(() => harness.close());
beforeEach(async () => {
  await harness.newWallet();
  harness.market.script = [];
});

const refusal = (order: Promise<Order>): Promise<DomainError> =>
  order.then(
    () => Promise.reject(new Error('it was not refused')),
    (error: unknown) => error as DomainError,
  );

describe('placing an order', () => {
  it("returns the exchange's response and stores it", async () => {
    const order = await harness.place({ side: 'buy' });
    const [made] = harness.market.of(order);
    expect(order).toMatchObject({
      state: 'open',
      status: 'open',
      rawStatus: 'accepted',
      exchangeIds: [made?.exchangeId],
      orderText: `order ${made?.exchangeId}`,
      routeId: 'kraken:spot:BTC-USD',
      type: 'limit',
    });
    expect(toPlacedResponse(order).rawResponse).toMatchObject({ txid: [made?.exchangeId] });
    // When the body of the exchange's response is no JSON object, `rawResponse` is empty.
    expect(toPlacedResponse({ ...order, placeAnswer: { status: 200, body: 'ok' } }).rawResponse).toEqual({});
    expect(order.request).toMatchObject({ pair: 'XBTUSD', type: 'buy', volume: '0.5', price: '20000' });
    expect(await harness.row(order)).toEqual(order);
    expect(await harness.areHeld()).toBe(false);
  });

  it('stores the request and holds the credentials before it sends', async () => {
    let before: Order | undefined;
    let areHeld = false;
    harness.market.onPlace = async () => {
      [before] = await harness.orders();
      areHeld = await harness.areHeld();
    };
    const order = await harness.place();
    harness.market.onPlace = () => undefined;
    expect(before).toMatchObject({ id: order.id, state: 'placing', status: 'unknown', request: order.request });
    expect(before?.submissionDeadline).toEqual(order.submissionDeadline);
    expect(areHeld).toBe(true);
  });

  it.each([
    ['0.0000001', '0.25'],
    ['0.000000000000000001', '99999999999999999999.75'],
    ['12345678901234567890.123456789012345678', '0.25'],
  ])('sends and stores the volume %s and the price %s digit by digit', async (volume, price) => {
    const { pair } = harness;
    const least = '0.000000000000000001';
    harness.pair = { ...pair, minBaseQty: least, stepSize: least, quantityDecimals: 18, minCost: null };
    harness.pair = { ...harness.pair, tickSize: '0.25', priceDecimals: 2 };
    const order = await harness.place({ volume, price });
    expect((await refusal(harness.place({ volume, price: '0.26' }))).code).toBe('GENERIC_VALIDATION_ERROR');
    harness.pair = pair;
    expect(order.request).toMatchObject({ volume, price });
    const row = await harness.row(order);
    expect([row.volume.toString(), row.price?.toString()]).toEqual([volume, price]);
    expect(harness.market.only(order).volume.toString()).toBe(volume);
  });

  it.each(['answer_lost', 'request_lost', 'throw_after_send'] satisfies PlaceScript[])(
    'returns the status unknown when the outcome is not known: %s',
    async (script) => {
      harness.market.script = [script];
      const order = await harness.place();
      expect(order).toMatchObject({ state: 'unknown', status: 'unknown', exchangeIds: [] });
      expect(order.orderText).toBe('sell 0.5 BTC/USD @ limit 20000');
      expect(await harness.row(order)).toMatchObject({ state: 'unknown', sentAt: order.sentAt });
      expect(order.sentAt).not.toBeNull();
      expect(await harness.areHeld()).toBe(true);
    },
  );

  it('stores a definite refusal and returns it as the error', async () => {
    harness.market.script = ['refuse'];
    expect(await refusal(harness.place())).toMatchObject({
      code: 'GENERIC_INVALID_REQUEST',
      status: 400,
      details: { result: { reason: 'insufficient_balance', exchangeCode: 'EOrder:Insufficient funds' } },
    });
    expect(await harness.orders()).toMatchObject([{ state: 'refused', status: 'canceled', rawStatus: 'refused' }]);
    expect(await harness.areHeld()).toBe(false);
  });

  it('sends again when nothing was sent, with the same row and the same client order id', async () => {
    harness.market.script = ['not_sent', 'not_sent'];
    const sent = harness.market.sent;
    const order = await harness.place();
    expect(order.state).toBe('open');
    expect(harness.market.sent).toBe(sent + 1);
    expect(harness.market.of(order)).toHaveLength(1);
    expect(await harness.orders()).toHaveLength(1);
  });

  it('sends each attempt of an order with a submission deadline of its own', async () => {
    harness.market.script = ['not_sent', 'not_sent', 'request_late'];
    harness.market.beforePlace = () => harness.clock.advance(1_000);
    const begun = harness.clock.now().getTime();
    const order = await harness.place();
    harness.market.beforePlace = () => undefined;
    // The last attempt was prepared after two attempts of a second each.
    const deadline = new Date(begun + 2_000 + DEADLINE_MS);
    expect(order).toMatchObject({ submissionDeadline: deadline, request: { deadline: deadline.toISOString() } });
    const { submissionDeadline, request } = order;
    expect(await harness.row(order)).toMatchObject({ submissionDeadline, request });
    // The exchange executes the late request only because it does not have the deadline of the first attempt.
    harness.clock.advance(begun + DEADLINE_MS + 1_000 - harness.clock.now().getTime());
    harness.market.deliver();
    expect(harness.market.of(order)).toHaveLength(1);
  });

  it('responds with the remaining seconds during a pause that the exchange has demanded', async () => {
    harness.market.script = ['paused'];
    const terms = { idempotencyKey: 'after the pause' };
    expect(await refusal(harness.place(terms))).toMatchObject({
      code: 'GENERIC_RATE_LIMIT_EXCEEDED',
      status: 429,
      retryAfterSeconds: 48,
      details: { result: { reason: 'not_sent' } },
    });
    expect((await harness.place(terms)).state).toBe('open');
  });

  it('reports that nothing was sent, and allows the same order again', async () => {
    harness.market.script = Array<PlaceScript>(5).fill('not_sent');
    const terms = { idempotencyKey: 'again' };
    expect(await refusal(harness.place(terms))).toMatchObject({
      code: 'TRADING_PROVIDER_ERROR',
      details: { result: { reason: 'not_sent' } },
    });
    const order = await harness.place(terms);
    expect(order.state).toBe('open');
    expect((await harness.orders()).map(({ state }) => state)).toEqual(['not_placed', 'open']);
  });

  it('sends nothing when the lease of the order could end before the response', async () => {
    const sent = harness.market.sent;
    // The lease begins when the row is stored, not when the request arrives.
    harness.onFindRoute = () => harness.clock.advance(60_000);
    expect((await harness.place()).state).toBe('open');
    harness.onFindRoute = () => undefined;
    expect(harness.market.sent).toBe(sent + 1);
    let tries = 0;
    harness.market.beforePlace = () => {
      tries += 1;
      harness.clock.advance(15_000);
    };
    expect(await refusal(harness.place({ volume: '2' }))).toMatchObject({ code: 'TRADING_PROVIDER_ERROR' });
    harness.market.beforePlace = () => undefined;
    expect([harness.market.sent, tries]).toEqual([sent + 1, 1]);
  });

  it('returns the known outcome when the database fails after the response, and the worker settles the order', async () => {
    const blocker = await holdWallet();
    harness.market.onPlace = () => blocker.hold();
    const order = await harness.place();
    harness.market.onPlace = () => undefined;
    expect(order).toMatchObject({
      state: 'open',
      status: 'open',
      exchangeIds: [harness.market.of(order)[0]?.exchangeId],
    });
    expect((await harness.row(order)).state).toBe('placing');
    await blocker.release();
    harness.clock.advance(20_000);
    await harness.work();
    expect(await harness.row(order)).toMatchObject({ state: 'open', exchangeIds: order.exchangeIds });
  });

  it('returns the status unknown for a refusal that could not be stored', async () => {
    const blocker = await holdWallet();
    harness.market.onPlace = () => blocker.hold();
    harness.market.script = ['refuse'];
    const order = await harness.place();
    harness.market.onPlace = () => undefined;
    expect(order).toMatchObject({ state: 'unknown', status: 'unknown', exchangeIds: [] });
    await blocker.release();
  });

  it('is limited per minute for each wallet', async () => {
    const limited = { code: 'GENERIC_RATE_LIMIT_EXCEEDED', retryAfterSeconds: 60 };
    for (let count = 0; count < 10; count++) await harness.place();
    expect(await refusal(harness.place())).toMatchObject(limited);
    const first = harness.wallet;
    await harness.anotherWallet();
    expect((await harness.place()).state).toBe('open');
    harness.wallet = first;
    expect(await refusal(harness.place())).toMatchObject(limited);
    harness.clock.advance(60_000);
    await harness.place();
    expect(await harness.orders()).toHaveLength(11);
  });

  it('stores nothing when another call locks the wallet for too long', async () => {
    const blocker = await holdWallet();
    await blocker.hold();
    const sent = harness.market.sent;
    expect(await refusal(harness.place())).toMatchObject({ code: 'GENERIC_INVALID_REQUEST', status: 409 });
    await blocker.release();
    expect([await harness.orders(), harness.market.sent]).toEqual([[], sent]);
  });
});

describe('a refusal before anything is stored', () => {
  it.each([
    ['on a route of another exchange', { routeId: 'coinbase:spot:BTC-USD' }, 'TRADING_ROUTE_NOT_FOUND'],
    ['that breaks a rule of its route', { volume: '0.00001' }, 'GENERIC_VALIDATION_ERROR'],
  ])('is the response to an order %s', async (_name, terms, code) => {
    const sent = harness.market.sent;
    expect(await refusal(harness.place(terms))).toMatchObject({ code });
    expect([await harness.orders(), harness.market.sent]).toEqual([[], sent]);
  });

  it('is the response when the connector of the exchange or TRADING_EXCHANGES allows no orders', async () => {
    harness.market.hasTrading = false;
    expect(await refusal(harness.place())).toMatchObject({ code: 'TRADING_EXCHANGE_NOT_SUPPORTED' });
    harness.market.hasTrading = true;
    await harness.newWallet('sandbox');
    expect(await refusal(harness.place())).toMatchObject({ code: 'TRADING_EXCHANGE_NOT_SUPPORTED' });
    expect(await harness.orders()).toEqual([]);
  });
});

describe('an order that the exchange has although it was recorded as not placed', () => {
  it('is corrected, and logged as an error, when a process with a fast clock made the record', async () => {
    harness.market.onPlace = async () => {
      harness.market.onPlace = () => undefined;
      harness.clock.advance(200_000);
      await harness.work(6);
      harness.clock.advance(-212_000);
    };
    harness.logged.length = 0;
    const order = await harness.place();
    const { exchangeId } = harness.market.only(order);
    expect(order).toMatchObject({ status: 'open', exchangeIds: [exchangeId] });
    expect(await harness.row(order)).toMatchObject({ state: 'open', exchangeIds: [exchangeId] });
    expect((await harness.row(order)).contradictedAt).not.toBeNull();
    expect(harness.logged).toContainEqual(expect.objectContaining({ level: 50, exchangeIds: order.exchangeIds }));
    expect(await harness.counted('contradicted')).toBe(1);
  });
});

describe('orders with equal terms', () => {
  it('are refused while the first one is in doubt; orders with other terms are placed', async () => {
    harness.market.script = ['request_lost'];
    const first = await harness.place();
    const sent = harness.market.sent;
    expect(await refusal(harness.place())).toMatchObject({
      code: 'GENERIC_INVALID_REQUEST',
      status: 409,
      details: { result: { orderId: first.id } },
    });
    // The same volume and price in another spelling are equal.
    expect((await refusal(harness.place({ volume: '0.500', price: '20000.0' }))).status).toBe(409);
    expect(harness.market.sent).toBe(sent);
    await harness.place({ volume: '0.6' });
    await harness.place({ side: 'buy' });
    await harness.place({ type: 'market', price: null });
    expect(harness.market.sent).toBe(sent + 3);
  });

  it('are refused with the id of the equal order of the same wallet', async () => {
    const terms = [{}, { side: 'buy' as const }, { volume: '0.6' }, { price: '20001' }, { price: null }];
    const { project, wallet } = harness;
    const { externalId } = wallet;
    const wallets = [{ project, wallet, ids: [] as string[] }];
    await harness.anotherWallet();
    wallets.push({ project, wallet: harness.wallet, ids: [] });
    await harness.newWallet('kraken', externalId);
    wallets.push({ project: harness.project, wallet: harness.wallet, ids: [] });
    for (const { ids, ...of } of wallets) {
      Object.assign(harness, of);
      for (const one of terms) {
        harness.market.script = ['request_lost'];
        ids.push((await harness.place(one)).id);
      }
    }
    for (const { ids, ...of } of wallets) {
      Object.assign(harness, of);
      const named: unknown[] = [];
      for (const one of terms) named.push((await refusal(harness.place(one))).details);
      expect(named).toEqual(ids.map((orderId) => expect.objectContaining({ result: { orderId } }) as unknown));
    }
  });

  it('that are placed at the same time are refused as conflicts, except one, which is sent', async () => {
    const sent = harness.market.sent;
    let callsLeft = 3;
    let respond = (): void => undefined;
    const allAreDecided = new Promise<void>((resolve) => (respond = resolve));
    const decide = (): void => {
      callsLeft -= 1;
      if (callsLeft === 0) respond();
    };
    // The exchange responds when each of the calls has been sent or refused. A call that began after the response would
    // place another order.
    harness.market.onPlace = () => {
      decide();
      return allAreDecided;
    };
    const calls = [1, 2, 3].map(() => harness.place());
    for (const call of calls) call.catch(decide);
    const answers = await Promise.allSettled(calls);
    harness.market.onPlace = () => undefined;
    const refused = answers.filter((answer) => answer.status === 'rejected');
    expect(refused.map(({ reason }) => (reason as DomainError).status)).toEqual([409, 409]);
    expect(harness.market.sent).toBe(sent + 1);
    expect(await harness.orders()).toMatchObject([{ state: 'open' }]);
    await harness.place();
    expect(harness.market.sent).toBe(sent + 2);
  });
});

/** Returns two calls: `hold` locks the wallet's row in another transaction, and `release` ends that transaction. */
async function holdWallet(): Promise<{ hold: () => Promise<void>; release: () => Promise<void> }> {
  const other = new pg.Client(harness.ownerUrl);
  await other.connect();
  return {
    hold: async () => {
      await other.query('begin');
      await other.query('select from wallets where id = $1 for update', [harness.wallet.id]);
    },
    release: () => other.end(),
  };
}
