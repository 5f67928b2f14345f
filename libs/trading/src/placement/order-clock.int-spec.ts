import { HostClockDiffers } from '#platform/database';
import { OrderBed } from '../testing/index.js';
import { OrderStore } from '../orders/order-store.js';
import { SettleOrder } from '../following/settle-order.js';

const HOUR = 3_600_000;
/** The deadline (30 s) and ORDER_SETTLE_SECONDS (120 s) after an order was sent. */
const PROVABLE = 150_000;

const DIFFERS = { code: 'TRADING_PROVIDER_ERROR', details: { result: { reason: 'host_clock_differs' } } };

describe('orders on hosts whose clocks are wrong', () => {
  let bed: OrderBed;

  beforeAll(async () => {
    bed = await OrderBed.create();
  });
  afterAll(() => bed.close());
  beforeEach(async () => {
    bed.clock.wallErrorMs = 0;
    await bed.db.query(`update orders set next_check_at = null where next_check_at is not null`);
    await bed.newWallet();
    Object.assign(bed.market, { script: [], beforePlace: () => undefined, sent: 0 });
  });

  it.each([-HOUR, -5_001, 5_001, HOUR])('places nothing when the clock is %i ms off', async (errorMs) => {
    bed.clock.wallErrorMs = errorMs;
    await expect(bed.place({ idempotencyKey: 'off' })).rejects.toMatchObject(DIFFERS);
    expect(bed.market.sent).toBe(0);
    expect(await bed.orders()).toEqual([]);
    bed.clock.wallErrorMs = 0;
    expect(await bed.place({ idempotencyKey: 'off' })).toMatchObject({ state: 'open' });
  });

  it.each([-4_900, 4_900])("takes every time from the database's clock (off by %i ms)", async (errorMs) => {
    bed.clock.wallErrorMs = errorMs;
    const at = bed.clock.trueNow().getTime();
    bed.market.script = ['answer_lost'];
    const order = await bed.place();
    expect(await bed.row(order)).toMatchObject({
      createdAt: new Date(at),
      sentAt: new Date(at),
      leaseUntil: new Date(at + 20_000),
      submissionDeadline: new Date(at + 30_000),
    });
  });

  it('sends nothing when the clock jumps after the order was written down, as when a machine was suspended', async () => {
    bed.market.beforePlace = () => {
      bed.clock.wallErrorMs = HOUR;
    };
    await expect(bed.place()).rejects.toMatchObject({ code: 'TRADING_PROVIDER_ERROR' });
    expect(bed.market.sent).toBe(0);
    expect(await bed.orders()).toMatchObject([{ state: 'not_placed', sentAt: null }]);
  });

  it('records what came back when the clock jumps while the exchange has the order', async () => {
    bed.market.onPlace = () => {
      bed.clock.wallErrorMs = HOUR;
    };
    const order = await bed.place();
    bed.market.onPlace = () => undefined;
    expect(await bed.row(order)).toMatchObject({ state: 'open', exchangeIds: [bed.market.only(order).exchangeId] });
  });

  it.each([-HOUR, HOUR])('settles nothing on a worker whose clock is %i ms off', async (errorMs) => {
    bed.market.script = ['request_late'];
    const order = await bed.place();
    const reads = bed.market.reads;
    bed.clock.wallErrorMs = errorMs;
    await expect(bed.get(SettleOrder).execute(order.id)).rejects.toThrow(HostClockDiffers);
    await expect(bed.read(order)).rejects.toMatchObject(DIFFERS);
    expect(bed.market.reads).toBe(reads);
    expect(await bed.row(order)).toMatchObject({ state: 'unknown', cleanLooks: 0 });
    bed.clock.wallErrorMs = 0;
    bed.market.deliver();
    await bed.work();
    expect((await bed.row(order)).state).toBe('open');
  });

  it.each([-4_900, 4_900])('proves absence by the time of the database (worker off by %i ms)', async (errorMs) => {
    bed.market.script = ['request_lost'];
    const order = await bed.place();
    bed.clock.wallErrorMs = errorMs;
    bed.clock.advance(PROVABLE - 1);
    await bed.get(SettleOrder).execute(order.id);
    expect(await bed.row(order)).toMatchObject({ state: 'unknown', cleanLooks: 0 });
    bed.clock.advance(1);
    await bed.get(SettleOrder).execute(order.id);
    expect(await bed.row(order)).toMatchObject({ state: 'unknown', cleanLooks: 1 });
    bed.clock.advance(2_000);
    await bed.get(SettleOrder).execute(order.id);
    expect(await bed.row(order)).toMatchObject({ state: 'not_placed' });
  });

  it('is given up only when its lease has ended by the time of the database', async () => {
    const order = await bed.placeAndDie('die_before');
    bed.clock.wallErrorMs = 4_900;
    bed.clock.advance(19_999);
    await bed.get(SettleOrder).execute(order.id);
    expect((await bed.row(order)).state).toBe('placing');
    bed.clock.wallErrorMs = -4_900;
    bed.clock.advance(1);
    await bed.get(SettleOrder).execute(order.id);
    expect((await bed.row(order)).state).toBe('unknown');
  });

  it('counts a key for as long as the database says, whatever the host that is asked', async () => {
    const first = await bed.place({ idempotencyKey: 'day' });
    bed.clock.advance(24 * HOUR - 1);
    bed.clock.wallErrorMs = 4_900;
    expect((await bed.place({ idempotencyKey: 'day' })).id).toBe(first.id);
    bed.clock.wallErrorMs = -4_900;
    bed.clock.advance(1);
    expect((await bed.place({ idempotencyKey: 'day' })).id).not.toBe(first.id);
  });

  it('are due for a sweep by the time of the database', async () => {
    const { id } = await bed.placeAndDie('die_before');
    const due = (): Promise<string[]> => bed.get(OrderStore).takeDue(bed.clock.trueNow(), 100);
    bed.clock.wallErrorMs = 4_900;
    bed.clock.advance(19_999);
    expect(await due()).not.toContain(id);
    bed.clock.wallErrorMs = -4_900;
    bed.clock.advance(1);
    expect(await due()).toContain(id);
  });
});
