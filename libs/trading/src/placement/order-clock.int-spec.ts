import { Config } from '#platform/config';
import { HostClockDiffers } from '#platform/database';
import { OrderHarness } from '../testing/index.js';
import { OrderStore } from '../orders/order-store.js';
import { SettleOrder } from '../following/settle-order.js';

const HOUR = 3_600_000;
/** Time after sending from which absence is proof: the submission deadline (30 s) plus ORDER_SETTLE_SECONDS (120 s). */
const PROVABLE = 150_000;

const DIFFERS = { code: 'TRADING_PROVIDER_ERROR', details: { result: { reason: 'host_clock_differs' } } };

describe('orders on hosts with wrong clocks', () => {
  let harness: OrderHarness;

  beforeAll(async () => {
    harness = await OrderHarness.create();
  });
  afterAll(() => harness.close());
  beforeEach(async () => {
    harness.clock.wallErrorMs = 0;
    await harness.db.query(`update orders set next_check_at = null where next_check_at is not null`);
    await harness.newWallet();
    Object.assign(harness.market, { script: [], beforePlace: () => undefined, sent: 0 });
  });

  it.each([-HOUR, -5_001, 5_001, HOUR])('are not placed when the clock is %i ms off', async (errorMs) => {
    harness.clock.wallErrorMs = errorMs;
    await expect(harness.place({ idempotencyKey: 'off' })).rejects.toMatchObject(DIFFERS);
    expect(harness.market.sent).toBe(0);
    expect(await harness.orders()).toEqual([]);
    harness.clock.wallErrorMs = 0;
    expect(await harness.place({ idempotencyKey: 'off' })).toMatchObject({ state: 'open' });
  });

  it.each([-4_900, 4_900])("take every time from the database's clock (host off by %i ms)", async (errorMs) => {
    harness.clock.wallErrorMs = errorMs;
    const at = harness.clock.trueNow().getTime();
    harness.market.script = ['answer_lost'];
    const order = await harness.place();
    expect(await harness.row(order)).toMatchObject({
      createdAt: new Date(at),
      sentAt: new Date(at),
      leaseUntil: new Date(at + 20_000),
      submissionDeadline: new Date(at + 30_000),
    });
  });

  it('are not sent when the clock jumps after the intent was stored, as after the suspension of a machine', async () => {
    harness.market.beforePlace = () => {
      harness.clock.wallErrorMs = HOUR;
    };
    await expect(harness.place()).rejects.toMatchObject({ code: 'TRADING_PROVIDER_ERROR' });
    expect(harness.market.sent).toBe(0);
    expect(await harness.orders()).toMatchObject([{ state: 'not_placed', sentAt: null }]);
  });

  it('are recorded as open when the clock jumps during an accepted submission', async () => {
    harness.market.onPlace = () => {
      harness.clock.wallErrorMs = HOUR;
    };
    const order = await harness.place();
    harness.market.onPlace = () => undefined;
    expect(await harness.row(order)).toMatchObject({
      state: 'open',
      exchangeIds: [harness.market.only(order).exchangeId],
    });
  });

  it.each([
    [119_000, '0'],
    [121_000, '0.2'],
  ])('ignore an older report unless the stored one is over two minutes ahead (%i ms: %s)', async (aheadMs, stored) => {
    const order = await harness.place();
    harness.clock.advance(aheadMs);
    await harness.read(order);
    harness.clock.advance(-aheadMs);
    harness.market.change(harness.market.only(order), 'open', '0.2');
    await harness.read(order);
    expect((await harness.row(order)).executedVolume.toString()).toBe(stored);
  });

  it.each([-HOUR, HOUR])('are not settled by a worker whose clock is %i ms off', async (errorMs) => {
    harness.market.script = ['request_late'];
    const order = await harness.place();
    const reads = harness.market.reads;
    harness.clock.wallErrorMs = errorMs;
    await expect(harness.get(SettleOrder).execute(order.id)).rejects.toThrow(HostClockDiffers);
    await expect(harness.read(order)).rejects.toMatchObject(DIFFERS);
    expect(harness.market.reads).toBe(reads);
    expect(await harness.row(order)).toMatchObject({ state: 'unknown', cleanSearches: 0 });
    harness.clock.wallErrorMs = 0;
    harness.market.deliver();
    await harness.work();
    expect((await harness.row(order)).state).toBe('open');
  });

  it.each([-4_900, 4_900])('are proven absent by the time of the database (worker off by %i ms)', async (errorMs) => {
    harness.market.script = ['request_lost'];
    const order = await harness.place();
    harness.clock.wallErrorMs = errorMs;
    harness.clock.advance(PROVABLE - 1);
    await harness.get(SettleOrder).execute(order.id);
    expect(await harness.row(order)).toMatchObject({ state: 'unknown', cleanSearches: 0 });
    harness.clock.advance(1);
    await harness.get(SettleOrder).execute(order.id);
    expect(await harness.row(order)).toMatchObject({ state: 'unknown', cleanSearches: 1 });
    harness.clock.advance(2_000);
    await harness.get(SettleOrder).execute(order.id);
    expect(await harness.row(order)).toMatchObject({ state: 'not_placed' });
  });

  it('become unknown only after their lease has ended by the time of the database', async () => {
    const order = await harness.placeAndDie('die_before');
    harness.clock.wallErrorMs = 4_900;
    harness.clock.advance(19_999);
    await harness.get(SettleOrder).execute(order.id);
    expect((await harness.row(order)).state).toBe('placing');
    harness.clock.wallErrorMs = -4_900;
    harness.clock.advance(1);
    await harness.get(SettleOrder).execute(order.id);
    expect((await harness.row(order)).state).toBe('unknown');
  });

  it('have Idempotency-Keys that expire by the time of the database, whatever the clock of the host shows', async () => {
    const first = await harness.place({ idempotencyKey: 'day' });
    harness.clock.advance(24 * HOUR - 1);
    harness.clock.wallErrorMs = 4_900;
    expect((await harness.place({ idempotencyKey: 'day' })).id).toBe(first.id);
    harness.clock.wallErrorMs = -4_900;
    harness.clock.advance(1);
    expect((await harness.place({ idempotencyKey: 'day' })).id).not.toBe(first.id);
  });

  it('are due for a sweep by the time of the database', async () => {
    const { id } = await harness.placeAndDie('die_before');
    const due = (): Promise<string[]> => harness.get(OrderStore).takeDue(harness.clock.trueNow(), 100);
    harness.clock.wallErrorMs = 4_900;
    harness.clock.advance(19_999);
    expect(await due()).not.toContain(id);
    harness.clock.wallErrorMs = -4_900;
    harness.clock.advance(1);
    expect(await due()).toContain(id);
  });

  it('are due again for a sweep only after one lease', async () => {
    const { id } = await harness.placeAndDie('die_before');
    const due = (): Promise<string[]> => harness.get(OrderStore).takeDue(harness.clock.trueNow(), 100);
    harness.clock.advance(20_000);
    expect(await due()).toContain(id);
    expect(await due()).not.toContain(id);
    harness.clock.advance(harness.get(Config).constants.QUEUE_LEASE_MS - 1);
    expect(await due()).not.toContain(id);
    harness.clock.advance(1);
    expect(await due()).toContain(id);
  });
});
