import type { DomainError } from '#platform/errors';
import { OrderHarness, type PlaceScript } from '../testing/index.js';
import type { Order } from '../orders/order.entity.js';

let harness: OrderHarness;

beforeAll(async () => {
  harness = await OrderHarness.create();
});
afterAll(() => harness.close());
beforeEach(async () => {
  await harness.newWallet();
  harness.market.script = [];
  harness.market.forgetsAfterMs = Infinity;
});

const refusal = (order: Promise<Order>): Promise<DomainError> =>
  order.then(
    () => Promise.reject(new Error('it was not refused')),
    (error: unknown) => error as DomainError,
  );

describe('an equal request with the same Idempotency-Key', () => {
  const terms = { idempotencyKey: 'key-1' };

  it('returns the first order after the process has died, and sends nothing', async () => {
    const order = await harness.placeAndDie('die_after', terms);
    const sent = harness.market.sent;
    // The lease of the first call has not ended, so that call may still be sending the order.
    expect(await refusal(harness.place(terms))).toMatchObject({
      status: 409,
      details: { result: { orderId: order.id } },
    });
    harness.clock.advance(20_000);
    expect(await harness.place(terms)).toMatchObject({ id: order.id, status: 'unknown' });
    await harness.work();
    const [made] = harness.market.of(order);
    expect(await harness.place(terms)).toMatchObject({ id: order.id, status: 'open', exchangeIds: [made?.exchangeId] });
    expect(harness.market.sent).toBe(sent);
  });

  it('returns the first order also when the route takes no orders; a request with other terms is refused', async () => {
    const order = await harness.place(terms);
    const { pair } = harness;
    harness.pair = { ...pair, isTradingEnabled: false };
    expect((await harness.place(terms)).id).toBe(order.id);
    harness.pair = pair;
    expect(await refusal(harness.place({ ...terms, volume: '0.7' }))).toMatchObject({ status: 422 });
    expect(await harness.orders()).toHaveLength(1);
  });

  it('gets a final refusal of the exchange again, but is executed after the exchange has refused the API key', async () => {
    harness.market.script = ['refuse'];
    const first = await refusal(harness.place(terms));
    const again = await refusal(harness.place(terms));
    expect([again.code, again.details]).toEqual([first.code, first.details]);
    harness.market.script = ['refuse_key'];
    await refusal(harness.place({ idempotencyKey: 'key-2' }));
    expect((await harness.place({ idempotencyKey: 'key-2' })).state).toBe('open');
    expect((await harness.orders()).map(({ state }) => state)).toEqual(['refused', 'refused', 'open']);
  });

  it('returns the order that the exchange has although it refused the API key, and sends nothing while the search fails', async () => {
    harness.market.script = ['refuse_key_of_copy_and_read'];
    expect((await refusal(harness.place(terms))).code).toBe('WALLET_INVALID_CREDENTIALS');
    const [made] = harness.market.orders.slice(-1);
    const sent = harness.market.sent;
    harness.market.isDown = true;
    expect(await refusal(harness.place(terms))).toMatchObject({ details: { result: { reason: 'not_sent' } } });
    harness.market.isDown = false;
    expect((await harness.place(terms)).exchangeIds).toEqual([made?.exchangeId]);
    expect(harness.market.sent).toBe(sent);
  });

  it('is executed after the exchange refused the API key, unless the exchange may no longer list an order of that time', async () => {
    const hourMs = 3_600_000;
    harness.market.forgetsAfterMs = 2 * hourMs;
    harness.market.script = ['refuse_key', 'refuse_key'];
    const late = { idempotencyKey: 'key-2' };
    for (const each of [terms, late])
      expect((await refusal(harness.place(each))).code).toBe('WALLET_INVALID_CREDENTIALS');
    harness.clock.advance(hourMs);
    expect((await harness.place(terms)).state).toBe('open');
    const sent = harness.market.sent;
    harness.clock.advance(hourMs);
    expect(await refusal(harness.place(late))).toMatchObject({ details: { result: { reason: 'not_sent' } } });
    expect(harness.market.sent).toBe(sent);
  });

  it('is executed when the first order was never sent, and after a temporary refusal of the route', async () => {
    const lost = await harness.placeAndDie('die_before', terms);
    await harness.work(40, 5_000);
    expect(await harness.row(lost)).toMatchObject({ state: 'not_placed', errorResult: { reason: 'not_placed' } });
    expect((await harness.place(terms)).state).toBe('open');
    harness.market.script = ['refuse_route'];
    const later = { idempotencyKey: 'key-2' };
    expect((await refusal(harness.place(later))).code).toBe('TRADING_ROUTE_UNAVAILABLE');
    expect((await harness.place(later)).state).toBe('open');
  });

  it('returns the placed order even if the row of an unsent order has a later time from a wrong clock', async () => {
    const sent = harness.market.sent;
    harness.clock.advance(5_000);
    harness.market.script = Array<PlaceScript>(5).fill('not_sent');
    await refusal(harness.place(terms));
    harness.clock.advance(-4_000);
    const order = await harness.place(terms);
    harness.clock.advance(1_000);
    expect((await harness.place(terms)).id).toBe(order.id);
    expect(harness.market.sent).toBe(sent + 1);
  });

  it('returns the first order also when the wallet was deleted and connected again', async () => {
    const order = await harness.placeAndDie('die_after', terms);
    harness.clock.advance(20_000);
    await harness.work();
    const sent = harness.market.sent;
    await harness.reconnect();
    expect(await harness.place(terms)).toMatchObject({ id: order.id, status: 'open' });
    expect(harness.market.sent).toBe(sent);
    harness.market.change(harness.market.only(order), 'open', '0.2');
    expect((await harness.read(order)).executedVolume.toString()).toBe('0.2');
    harness.market.change(harness.market.only(order), 'closed', '0.5');
    await harness.work(3, 60_000);
    expect((await harness.row(order)).status).toBe('filled');
  });

  it('sends nothing after a restore has lost the order, until a search can prove that there is no order', async () => {
    const order = await harness.place(terms);
    const sent = harness.market.sent;
    await harness.restore(order);
    const again = await harness.place(terms);
    expect(again).toMatchObject({ state: 'open', exchangeIds: order.exchangeIds });
    expect(again.id).not.toBe(order.id);
    const other = { idempotencyKey: 'key-2' };
    const nobodyKnows = { code: 'TRADING_PROVIDER_ERROR', details: { result: { reason: 'database_restored' } } };
    expect(await refusal(harness.place(other))).toMatchObject(nobodyKnows);
    harness.clock.advance(150_000);
    harness.market.isDown = true;
    expect(await refusal(harness.place(other))).toMatchObject(nobodyKnows);
    expect(harness.market.sent).toBe(sent);
    harness.market.isDown = false;
    expect((await harness.place(other)).state).toBe('open');
    expect(harness.market.sent).toBe(sent + 1);
    await harness.asOwner(`update database_epochs set is_original = true`);
  });

  it('is refused when an order that a restore has lost has other terms or is older than IDEMPOTENCY_TTL_SECONDS', async () => {
    const order = await harness.place(terms);
    const sent = harness.market.sent;
    await harness.restore(order);
    harness.clock.advance(150_000);
    expect(await refusal(harness.place({ ...terms, volume: '0.7' }))).toMatchObject({ status: 422 });
    expect(await refusal(harness.place({ ...terms, side: 'buy' }))).toMatchObject({ status: 422 });
    expect(await refusal(harness.place({ ...terms, price: '20000.1' }))).toMatchObject({ status: 422 });
    expect((await harness.place(terms)).exchangeIds).toEqual(order.exchangeIds);
    expect(harness.market.sent).toBe(sent);
    const old = await harness.place({ idempotencyKey: 'key-2' });
    harness.clock.advance(86_500_000);
    await harness.restore(old);
    expect(await refusal(harness.place({ idempotencyKey: 'key-2' }))).toMatchObject({ status: 422 });
    expect(harness.market.sent).toBe(sent + 1);
    await harness.asOwner(`update database_epochs set is_original = true`);
  });

  it('keeps the client order id of the first attempt while no attempt could be sent', async () => {
    for (const hours of [0, 23, 2]) {
      harness.clock.advance(hours * 3_600_000);
      harness.market.script = Array<PlaceScript>(5).fill('not_sent');
      await refusal(harness.place(terms));
    }
    expect(new Set((await harness.orders()).map(({ clientOrderId }) => clientOrderId)).size).toBe(1);
  });

  it('counts as a new request, with a client order id of its own, for another wallet and after IDEMPOTENCY_TTL_SECONDS', async () => {
    const order = await harness.place(terms);
    harness.clock.advance(86_400_001);
    const second = await harness.place(terms);
    await harness.anotherWallet();
    const elsewhere = await harness.place(terms);
    for (const read of [({ id }: Order) => id, ({ clientOrderId }: Order) => clientOrderId])
      expect(new Set([order, second, elsewhere].map(read)).size).toBe(3);
  });

  it('gets another client order id when IDEMPOTENCY_TTL_SECONDS have passed since a final refusal', async () => {
    harness.market.script = ['refuse'];
    await refusal(harness.place(terms));
    harness.clock.advance(86_400_001);
    const placed = await harness.place(terms);
    const [refused] = await harness.orders();
    expect(refused).toMatchObject({ state: 'refused', idempotencyKey: placed.idempotencyKey });
    expect(placed.clientOrderId).not.toBe(refused?.clientOrderId);
  });
});
