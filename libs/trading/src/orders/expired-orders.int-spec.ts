import { DAY_MS } from '#platform/clock';
import { Config } from '#platform/config';
import { PeriodicTasks } from '#platform/lifecycle';
import { createTestModule, type TestModule } from '#platform/testing';
import { OrderHarness, type Order } from '../testing/index.js';
import { ExpiredOrders } from './expired-orders.js';

const KEEP_DAYS = 500;
const BATCH = 2;

describe('ended orders', () => {
  let harness: OrderHarness;
  /** Connects with the role of the worker. */
  let workers: TestModule;
  beforeAll(async () => {
    harness = await OrderHarness.create();
    workers = await createTestModule({ role: 'worker', database: harness.database });
  });
  afterAll(async () => {
    await workers.close();
    await harness.close();
  });
  beforeEach(async () => {
    harness.clock.at = Date.now() - (KEEP_DAYS + 1) * DAY_MS;
    harness.market.script = [];
    await harness.newWallet();
  });

  function worker(keepDays = KEEP_DAYS): ExpiredOrders {
    const config = harness.get(Config);
    const limited = new Config({ ...config.values, ORDERS_KEEP_DAYS: keepDays }, config, {
      ...config.constants,
      RETENTION_BATCH: BATCH,
    });
    return new ExpiredOrders(workers.db, harness.clock, limited, harness.get(PeriodicTasks));
  }

  async function placeAndFill(): Promise<Order> {
    const order = await harness.place();
    harness.market.change(harness.market.only(order), 'closed', '0.5');
    return harness.read(order);
  }

  const isKept = async ({ id }: Pick<Order, 'id'>): Promise<boolean> =>
    (await harness.db.query(`select from orders where id = $1`, [id])).length === 1;

  const now = (): void => void (harness.clock.at = Date.now());

  it('are deleted in batches when their time is over, each by only one of several workers', async () => {
    for (let number = 0; number < 2 * BATCH + 1; number++) await placeAndFill();
    harness.clock.advance(1_000);
    const young = await placeAndFill();
    harness.clock.advance(KEEP_DAYS * DAY_MS - 500);
    const deleted = await Promise.all([worker().delete(), worker().delete(), worker().delete()]);
    expect(deleted.reduce((sum, count) => sum + count)).toBe(2 * BATCH + 1);
    expect((await harness.orders()).map(({ id }) => id)).toEqual([young.id]);
  });

  it('are kept without end when ORDERS_KEEP_DAYS is 0', async () => {
    const order = await placeAndFill();
    now();
    expect(await worker(0).delete()).toBe(0);
    expect(await isKept(order)).toBe(true);
  });

  it('are counted from their end and not from their placement', async () => {
    const order = await harness.place();
    harness.clock.advance(50 * DAY_MS);
    harness.market.change(harness.market.only(order), 'closed', '0.5');
    await harness.read(order);
    now();
    await worker().delete();
    expect(await isKept(order)).toBe(true);
  });

  it('do not include orders that are open, in doubt, or still compared with their exchange', async () => {
    const open = await harness.place();
    harness.market.script = ['answer_lost'];
    const unknown = await harness.place({ volume: '0.6' });
    await harness.db.query(`update orders set next_check_at = null where id = $1`, [unknown.id]);
    harness.market.script = ['refuse'];
    await expect(harness.place({ volume: '0.7' })).rejects.toThrow();
    const refused = (await harness.orders()).at(-1);
    expect(refused).toMatchObject({ state: 'refused', nextCheckAt: expect.any(Date) as Date });
    now();
    await worker().delete();
    expect(await harness.orders()).toHaveLength(3);
    expect((await harness.row(open)).state).toBe('open');
    await harness.db.query(`update orders set next_check_at = null where id = $1`, [refused?.id]);
    await worker().delete();
    expect((await harness.orders()).map(({ id }) => id)).toEqual([open.id, unknown.id]);
  });

  it('include orders that were never placed', async () => {
    harness.market.script = Array.from({ length: 5 }, () => 'not_sent' as const);
    await expect(harness.place()).rejects.toThrow();
    expect(await harness.orders()).toMatchObject([{ state: 'not_placed', nextCheckAt: null }]);
    now();
    await worker().delete();
    expect(await harness.orders()).toEqual([]);
  });
});

describe('an Idempotency-Key whose orders were deleted', () => {
  let harness: OrderHarness;
  const terms = { idempotencyKey: 'key-1' };
  /** The beginning of a period. */
  const begin = 57 * 365 * DAY_MS;
  beforeAll(async () => {
    harness = await OrderHarness.create();
  });
  afterAll(() => harness.close());
  beforeEach(() => harness.newWallet());

  it('gives a new order a client order id of its own', async () => {
    harness.clock.at = Date.now() - 3 * 365 * DAY_MS;
    const names = new Set<string>();
    for (let order = 0; order < 6; order++) {
      names.add((await harness.place(terms)).clientOrderId);
      // As early as the database allows it, and so before the next order.
      await harness.asOwner(`alter table orders disable trigger keep_order;
        delete from orders where created_at < '${new Date(harness.clock.at - 398 * DAY_MS).toISOString()}';
        alter table orders enable trigger keep_order`);
      harness.clock.advance(100 * DAY_MS);
    }
    expect(names.size).toBe(6);
  });

  it('keeps its client order id for all attempts of one period of 365 days, and gets another one in the next', async () => {
    for (const at of [begin - 2_000, begin - 1_000, begin, begin + 1_000]) {
      harness.clock.at = at;
      harness.market.script = Array.from({ length: 5 }, () => 'not_sent' as const);
      await expect(harness.place(terms)).rejects.toThrow();
    }
    const [first, second, third, fourth] = (await harness.orders()).map(({ clientOrderId }) => clientOrderId);
    expect([second, fourth]).toEqual([first, third]);
    expect(third).not.toBe(first);
  });

  it('places nothing after a restore until no attempt of the period before can be repeated', async () => {
    harness.market.script = [];
    harness.clock.at = begin - 60_000;
    const order = await harness.place(terms);
    await harness.restore(order);
    const { sent } = harness.market;
    for (const minutes of [30, 23 * 60]) {
      harness.clock.advance(minutes * 60_000);
      await expect(harness.place(terms)).rejects.toMatchObject({
        details: { result: { reason: 'database_restored' } },
      });
    }
    expect(harness.market.sent).toBe(sent);
    harness.clock.advance(60 * 60_000);
    expect((await harness.place(terms)).state).toBe('open');
    await harness.asOwner(`update database_epochs set is_original = true`);
  });
});
