import { OrderHarness } from '../testing/index.js';
import type { Order } from '../orders/order.entity.js';
import { OrderStore } from '../orders/order-store.js';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

describe('an open order that its exchange does not find any more', () => {
  let harness: OrderHarness;
  beforeAll(async () => (harness = await OrderHarness.create()));
  afterAll(() => harness.close());
  beforeEach(async () => {
    // Takes the orders of earlier tests away from the worker.
    await harness.db.query(`update orders set next_check_at = null where next_check_at is not null`);
    await harness.newWallet();
    Object.assign(harness.market, { missing: 'not_executed', forgetsAfterMs: Infinity });
  });

  /** Places an order, shows it as open after a minute, and removes it from the exchange's lists a day later. */
  async function missing(executed = '0'): Promise<Order> {
    const order = await harness.place();
    const made = harness.market.only(order);
    harness.market.change(made, 'open', executed);
    harness.clock.advance(60_000);
    await harness.read(order);
    harness.market.orders.splice(harness.market.orders.indexOf(made), 1);
    harness.clock.advance(DAY);
    return order;
  }

  it('is canceled after two reads when the exchange shows that nothing was executed', async () => {
    const order = await missing();
    expect(await harness.read(order)).toMatchObject({ state: 'open', status: 'open' });
    // A read right after the first one does not count.
    expect(await harness.read(order)).toMatchObject({ state: 'open', status: 'open' });
    await harness.work(2, HOUR);
    expect(await harness.row(order)).toMatchObject({
      state: 'closed',
      status: 'canceled',
      rawStatus: 'not_listed',
      nextCheckAt: null,
      closedAt: null,
    });
    const told = (await harness.events(order)).map(({ data }) => [data['status'], data['rawStatus']]);
    expect(told.at(-1)).toEqual(['canceled', 'not_listed']);
  });

  it('is canceled also when it is too old for searches, because the exchange has shown it before', async () => {
    const order = await missing();
    harness.market.forgetsAfterMs = 0;
    await harness.work(3, HOUR);
    expect(await harness.row(order)).toMatchObject({ state: 'closed', status: 'canceled' });
  });

  it('has the status unknown when it is too old for searches, and was shown last by other credentials', async () => {
    const order = await missing();
    harness.market.forgetsAfterMs = 0;
    await harness.db.query(`update orders set raw_status = 'not_visible', status = 'unknown' where id = $1`, [
      order.id,
    ]);
    await harness.work(3, HOUR);
    expect(await harness.row(order)).toMatchObject({ state: 'open', rawStatus: 'not_listed' });
  });

  it('is judged by the executions since the exchange has last shown it, or since shortly before it was sent', async () => {
    const shown = await missing();
    await harness.read(shown);
    expect(harness.market.judgedSince).toEqual((await harness.row(shown)).readAt);
    const hidden = await harness.place({ volume: '0.6' });
    harness.market.orders.length = 0;
    harness.clock.advance(HOUR);
    await harness.read(hidden);
    expect(harness.market.judgedSince?.getTime()).toBeLessThan(hidden.createdAt.getTime());
  });

  it.each(['may_be_late', 'not_executed'] as const)(
    'is checked again later, and not at once, when it is %s',
    async (fate) => {
      harness.market.missing = fate;
      const order = await missing();
      await harness.work(1, 0);
      const { nextCheckAt } = await harness.row(order);
      expect(nextCheckAt?.getTime()).toBeGreaterThan(harness.clock.trueNow().getTime() + 60_000);
    },
  );

  it('stays open while its absence may only mean that the lists of the exchange are late', async () => {
    harness.market.missing = 'may_be_late';
    const order = await missing();
    await harness.work(10, HOUR);
    expect(await harness.row(order)).toMatchObject({ state: 'open', status: 'open', cleanSearches: 0 });
  });

  it.each([
    ['whether it was executed is not certain', 'ended', '0'],
    ['a part of it was executed before', 'not_executed', '0.2'],
  ] as const)('has the status unknown when %s, and is checked once a day', async (_why, fate, executed) => {
    harness.market.missing = fate;
    const order = await missing(executed);
    await harness.work(3, HOUR);
    const hidden = { state: 'open', status: 'unknown', rawStatus: 'not_listed' };
    expect(await harness.row(order)).toMatchObject(hidden);
    const { reads } = harness.market;
    await harness.work(48, HOUR);
    expect(await harness.row(order)).toMatchObject(hidden);
    // Each check is a read, a search for the client order id, and a question about the missing order.
    expect(harness.market.reads - reads).toBeLessThanOrEqual(6);
    expect((await harness.row(order)).executedVolume.toString()).toBe(executed);
  });

  it('does not slow the checks of the other open orders of its wallet', async () => {
    harness.market.missing = 'ended';
    const other = await harness.place();
    const order = await missing();
    const store = harness.get(OrderStore);
    expect(await store.countLike(other)).toBe(2);
    await harness.work(3, HOUR);
    expect(await harness.row(order)).toMatchObject({ rawStatus: 'not_listed' });
    expect(await store.countLike(other)).toBe(1);
    harness.market.orders.length = 0;
  });

  it('has its true status again when the exchange finds it after all', async () => {
    harness.market.missing = 'ended';
    const order = await harness.place();
    const [made] = harness.market.orders.splice(0);
    if (made === undefined) throw new Error('no order was made');
    harness.clock.advance(DAY);
    await harness.work(2, HOUR);
    expect(await harness.row(order)).toMatchObject({ rawStatus: 'not_listed' });
    harness.market.orders.push(made);
    expect(await harness.read(order)).toMatchObject({ state: 'open', status: 'open', rawStatus: 'open' });
  });

  it('is not canceled when the exchange has found it between the two reads', async () => {
    const order = await harness.place();
    const made = harness.market.orders.splice(0);
    harness.clock.advance(DAY);
    await harness.read(order);
    expect(await harness.row(order)).toMatchObject({ state: 'open', cleanSearches: 1 });
    harness.market.orders.push(...made);
    harness.clock.advance(HOUR);
    await harness.read(order);
    harness.market.orders.length = 0;
    harness.clock.advance(HOUR);
    expect(await harness.read(order)).toMatchObject({ state: 'open', status: 'open' });
    expect(await harness.row(order)).toMatchObject({ state: 'open', cleanSearches: 1 });
  });
});
