import type { DomainError } from '#platform/errors';
import { OrderBed, type PlaceScript } from '../testing/index.js';
import type { Order } from '../orders/order.entity.js';

let bed: OrderBed;

beforeAll(async () => {
  bed = await OrderBed.create();
});
afterAll(() => bed.close());
beforeEach(async () => {
  await bed.newWallet();
  bed.market.script = [];
});

const refusal = (order: Promise<Order>): Promise<DomainError> =>
  order.then(
    () => Promise.reject(new Error('it was not refused')),
    (error: unknown) => error as DomainError,
  );

describe('an equal request with the same Idempotency-Key', () => {
  const wish = { idempotencyKey: 'key-1' };

  it('after the process has died gets the order of the first one, and sends nothing', async () => {
    const order = await bed.placeAndDie('die_after', wish);
    const sent = bed.market.sent;
    // It may still be sending.
    expect(await refusal(bed.place(wish))).toMatchObject({ status: 409, details: { result: { orderId: order.id } } });
    bed.clock.advance(20_000);
    expect(await bed.place(wish)).toMatchObject({ id: order.id, status: 'unknown' });
    await bed.work();
    const [made] = bed.market.of(order);
    expect(await bed.place(wish)).toMatchObject({ id: order.id, status: 'open', exchangeIds: [made?.exchangeId] });
    expect(bed.market.sent).toBe(sent);
  });

  it('gets it also when the route is off-line by now, and not for another request', async () => {
    const order = await bed.place(wish);
    const { pair } = bed;
    bed.pair = { ...pair, isTradingEnabled: false };
    expect((await bed.place(wish)).id).toBe(order.id);
    bed.pair = pair;
    expect(await refusal(bed.place({ ...wish, volume: '0.7' }))).toMatchObject({ status: 422 });
    expect(await bed.orders()).toHaveLength(1);
  });

  it('gets a refusal that is final again, and is carried out after one that is not', async () => {
    bed.market.script = ['refuse'];
    const first = await refusal(bed.place(wish));
    const again = await refusal(bed.place(wish));
    expect([again.code, again.details]).toEqual([first.code, first.details]);
    bed.market.script = ['refuse_key'];
    await refusal(bed.place({ idempotencyKey: 'key-2' }));
    expect((await bed.place({ idempotencyKey: 'key-2' })).state).toBe('open');
    expect((await bed.orders()).map(({ state }) => state)).toEqual(['refused', 'refused', 'open']);
  });

  it('finds the order of a request that was refused for its API key, and sends nothing until it could look', async () => {
    bed.market.script = ['refuse_key_of_copy_and_read'];
    expect((await refusal(bed.place(wish))).code).toBe('WALLET_INVALID_CREDENTIALS');
    const [made] = bed.market.orders.slice(-1);
    const sent = bed.market.sent;
    bed.market.isDown = true;
    expect(await refusal(bed.place(wish))).toMatchObject({ details: { result: { reason: 'not_sent' } } });
    bed.market.isDown = false;
    expect((await bed.place(wish)).exchangeIds).toEqual([made?.exchangeId]);
    expect(bed.market.sent).toBe(sent);
  });

  it('is carried out when the first one never was, and after a refusal that says "not now"', async () => {
    const lost = await bed.placeAndDie('die_before', wish);
    await bed.work(40, 5_000);
    expect(await bed.row(lost)).toMatchObject({ state: 'not_placed', errorResult: { reason: 'not_placed' } });
    expect((await bed.place(wish)).state).toBe('open');
    bed.market.script = ['refuse_route'];
    const later = { idempotencyKey: 'key-2' };
    expect((await refusal(bed.place(later))).code).toBe('TRADING_ROUTE_UNAVAILABLE');
    expect((await bed.place(later)).state).toBe('open');
  });

  it('gets the one that counts, although a row that does not has a later time by another clock', async () => {
    const sent = bed.market.sent;
    bed.clock.advance(5_000);
    bed.market.script = Array<PlaceScript>(5).fill('not_sent');
    await refusal(bed.place(wish));
    bed.clock.advance(-4_000);
    const order = await bed.place(wish);
    bed.clock.advance(1_000);
    expect((await bed.place(wish)).id).toBe(order.id);
    expect(bed.market.sent).toBe(sent + 1);
  });

  it('gets it also when the wallet was deleted and connected again meanwhile', async () => {
    const order = await bed.placeAndDie('die_after', wish);
    bed.clock.advance(20_000);
    await bed.work();
    const sent = bed.market.sent;
    await bed.reconnect();
    expect(await bed.place(wish)).toMatchObject({ id: order.id, status: 'open' });
    expect(bed.market.sent).toBe(sent);
    bed.market.change(bed.market.only(order), 'open', '0.2');
    expect((await bed.read(order)).executedVolume.toString()).toBe('0.2');
    bed.market.change(bed.market.only(order), 'closed', '0.5');
    await bed.work(3, 60_000);
    expect((await bed.row(order)).status).toBe('filled');
  });

  it('sends nothing when a restored database has forgotten the order, and says so while nobody can tell', async () => {
    const order = await bed.place(wish);
    const sent = bed.market.sent;
    await bed.restore(order);
    const again = await bed.place(wish);
    expect(again).toMatchObject({ state: 'open', exchangeIds: order.exchangeIds });
    expect(again.id).not.toBe(order.id);
    const other = { idempotencyKey: 'key-2' };
    const nobodyKnows = {
      code: 'TRADING_PROVIDER_ERROR',
      details: { result: { reason: 'database_restored' } },
    };
    expect(await refusal(bed.place(other))).toMatchObject(nobodyKnows);
    bed.clock.advance(150_000);
    bed.market.isDown = true;
    expect(await refusal(bed.place(other))).toMatchObject(nobodyKnows);
    expect(bed.market.sent).toBe(sent);
    bed.market.isDown = false;
    expect((await bed.place(other)).state).toBe('open');
    expect(bed.market.sent).toBe(sent + 1);
    await bed.asOwner(`update database_epochs set is_original = true`);
  });

  it('does not take a forgotten order for another request of the key, nor for one after the time of keys', async () => {
    const order = await bed.place(wish);
    const sent = bed.market.sent;
    await bed.restore(order);
    bed.clock.advance(150_000);
    expect(await refusal(bed.place({ ...wish, volume: '0.7' }))).toMatchObject({ status: 422 });
    expect(await refusal(bed.place({ ...wish, side: 'buy' }))).toMatchObject({ status: 422 });
    expect((await bed.place(wish)).exchangeIds).toEqual(order.exchangeIds);
    expect(bed.market.sent).toBe(sent);
    const old = await bed.place({ idempotencyKey: 'key-2' });
    bed.clock.advance(86_500_000);
    await bed.restore(old);
    expect(await refusal(bed.place({ idempotencyKey: 'key-2' }))).toMatchObject({ status: 422 });
    expect(bed.market.sent).toBe(sent + 1);
    await bed.asOwner(`update database_epochs set is_original = true`);
  });

  it('has the name of the first attempt for as long as none of them is an answer', async () => {
    for (const hours of [0, 23, 2]) {
      bed.clock.advance(hours * 3_600_000);
      bed.market.script = Array<PlaceScript>(5).fill('not_sent');
      await refusal(bed.place(wish));
    }
    expect(new Set((await bed.orders()).map(({ clientOrderId }) => clientOrderId)).size).toBe(1);
  });

  it('is a new request for another wallet, and after the time of keys', async () => {
    const order = await bed.place(wish);
    bed.clock.advance(86_400_001);
    const second = await bed.place(wish);
    expect(second.id).not.toBe(order.id);
    await bed.newWallet();
    expect((await bed.place(wish)).id).not.toBe(second.id);
  });
});
