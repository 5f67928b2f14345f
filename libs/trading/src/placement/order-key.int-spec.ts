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

  it('returns the order as canceled when the first order never arrived, and sends nothing', async () => {
    const lost = await harness.placeAndDie('die_before', terms);
    await harness.work(40, 5_000);
    const { sent } = harness.market;
    expect(await harness.place(terms)).toMatchObject({ id: lost.id, status: 'canceled', rawStatus: 'not_placed' });
    expect(harness.market.sent).toBe(sent);
    expect((await harness.place({ idempotencyKey: 'key-2' })).state).toBe('open');
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

  it('leaves open whether the order exists when a process that has not searched yet cannot search after a restore', async () => {
    const order = await harness.place(terms);
    await harness.restore(order);
    await harness.reconnect();
    harness.market.isDown = true;
    expect(await refusal(harness.place(terms))).toMatchObject({ details: { result: { reason: 'database_restored' } } });
    const withoutKey = await refusal(harness.place({ idempotencyKey: null }));
    expect(withoutKey).not.toMatchObject({ details: { result: { reason: 'database_restored' } } });
    harness.market.isDown = false;
    expect((await harness.place(terms)).exchangeIds).toEqual(order.exchangeIds);
    await harness.asOwner(`update database_epochs set is_original = true`);
  });

  it('sends nothing after a restore while an exchange without a deadline may carry out late what it has accepted', async () => {
    const order = await harness.place(terms);
    await harness.restore(order);
    Object.assign(harness.market, { hasDeadline: false, signedForMs: 60_000 });
    const sent = harness.market.sent;
    const other = { idempotencyKey: 'key-2' };
    // The deadline of orders is half as long as the time for which this exchange accepts a signed request.
    for (const minutes of [0, 4, 8, 0.75]) {
      harness.clock.advance(minutes * 60_000);
      const nobodyKnows = { details: { result: { reason: 'database_restored' } } };
      expect(await refusal(harness.place(other))).toMatchObject(nobodyKnows);
    }
    expect(harness.market.sent).toBe(sent);
    harness.clock.advance(60_000);
    expect((await harness.place(other)).state).toBe('open');
    Object.assign(harness.market, { hasDeadline: true, signedForMs: null });
    await harness.asOwner(`update database_epochs set is_original = true`);
  });

  it('is refused when an order that a restore has lost has other terms or is older than IDEMPOTENCY_TTL_SECONDS', async () => {
    const order = await harness.place(terms);
    const sent = harness.market.sent;
    await harness.restore(order);
    harness.clock.advance(150_000);
    expect(await refusal(harness.place({ ...terms, volume: '0.7' }))).toMatchObject({ status: 422 });
    expect(await refusal(harness.place({ ...terms, side: 'buy' }))).toMatchObject({ status: 422 });
    for (const price of ['20000.1', '19999.9'])
      expect(await refusal(harness.place({ ...terms, price }))).toMatchObject({ status: 422 });
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

  it('has a client order id of its own in another project, even for a wallet with the same id', async () => {
    const order = await harness.place(terms);
    await harness.newWallet('kraken', harness.wallet.externalId);
    expect((await harness.place(terms)).clientOrderId).not.toBe(order.clientOrderId);
  });

  it('gets the refusal of the first order again when that order was sent, also a temporary refusal, and sends nothing', async () => {
    harness.market.script = ['refuse_route'];
    const first = await refusal(harness.place(terms));
    expect(first.code).toBe('TRADING_ROUTE_UNAVAILABLE');
    const { sent } = harness.market;
    harness.clock.advance(60_000);
    const again = await refusal(harness.place(terms));
    expect([again.code, again.message, again.details.result]).toEqual([
      first.code,
      first.message,
      first.details.result,
    ]);
    expect(harness.market.sent).toBe(sent);
    expect(await harness.orders()).toHaveLength(1);
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
