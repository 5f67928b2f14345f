import pg from 'pg';
import { Config } from '#platform/config';
import { OrderBed } from '../testing/index.js';
import { NextLook } from '../orders/next-check.js';
import { OrderLedger } from '../orders/order-transitions.js';
import { SettleOrder } from './settle-order.js';

const MINUTE = 60_000;
/** Not before: the deadline (30 s) and ORDER_SETTLE_SECONDS (120 s) after it was sent. */
const PROVABLE = 150_000;

let bed: OrderBed;

beforeAll(async () => {
  bed = await OrderBed.create();
});
afterAll(() => bed.close());
beforeEach(async () => {
  // The orders of earlier tests are nobody's business any more.
  await bed.db.query(`update orders set next_check_at = null where next_check_at is not null`);
  await bed.newWallet();
  Object.assign(bed.market, { script: [], isDown: false, hasDeadline: true });
});

/** Works until the order is out of doubt, or until `untilMs` have passed. */
async function workFor(untilMs: number, everyMs = 5_000): Promise<void> {
  await bed.work(Math.ceil(untilMs / everyMs), everyMs);
}

const deleteWallet = () =>
  bed.db.query(`update wallets set deleted_at = $2 where id = $1`, [bed.wallet.id, bed.clock.now()]);

describe('an order whose outcome is not known', () => {
  it('is found by our id, told of, and the credentials are let go', async () => {
    bed.market.script = ['answer_lost'];
    const order = await bed.place();
    await bed.work();
    const [made] = bed.market.of(order);
    expect(await bed.row(order)).toMatchObject({ state: 'open', status: 'open', exchangeIds: [made?.exchangeId] });
    expect(await bed.areHeld()).toBe(false);
    expect(await bed.events(order)).toMatchObject([
      { data: { orderId: order.id, walletId: bed.wallet.externalId, status: 'open', rawStatus: 'open' } },
    ]);
  });

  it.each([
    ['before it has sent', 'die_before', 0],
    ['after it has sent', 'die_after', 1],
  ] as const)('because the process died %s is settled by the exchange alone', async (_when, script, made) => {
    const order = await bed.placeAndDie(script);
    const reads = bed.market.reads;
    await bed.work(1, 19_999);
    expect(bed.market.reads).toBe(reads);
    expect((await bed.row(order)).state).toBe('placing');
    await workFor(PROVABLE + MINUTE);
    expect(await bed.row(order)).toMatchObject(
      made === 1
        ? { state: 'open', exchangeIds: [bed.market.of(order)[0]?.exchangeId] }
        : { state: 'not_placed', status: 'canceled', rawStatus: 'not_placed' },
    );
    expect(await bed.areHeld()).toBe(false);
    expect(bed.market.of(order)).toHaveLength(made);
    expect(await bed.events(order)).toHaveLength(1);
  });

  it('was never made only after the fence, the time on top, and enough looks that are apart', async () => {
    bed.market.script = ['request_late'];
    const order = await bed.place();
    await workFor(PROVABLE - 10_000);
    expect(await bed.row(order)).toMatchObject({ state: 'unknown', cleanLooks: 0 });
    bed.clock.advance(10_000);
    await bed.read(order);
    await bed.read(order);
    expect(await bed.row(order)).toMatchObject({ state: 'unknown', cleanLooks: 1 });
    bed.clock.advance(2_000);
    expect(await bed.read(order)).toMatchObject({ status: 'canceled', rawStatus: 'not_placed' });
    bed.market.deliver();
    expect(bed.market.of(order)).toEqual([]);
    // Free again, as the doubt has ended.
    expect((await bed.place()).state).toBe('open');
  });

  it('is found when the exchange makes it just before the fence', async () => {
    bed.market.script = ['request_late'];
    const order = await bed.place();
    await workFor(29_000, 1_000);
    bed.market.deliver();
    await workFor(MINUTE);
    expect((await bed.row(order)).state).toBe('open');
  });

  it('is never taken for not made without a fence', async () => {
    bed.market.hasDeadline = false;
    bed.market.script = ['request_late'];
    const order = await bed.place();
    await bed.work(30, 10 * MINUTE);
    expect(await bed.row(order)).toMatchObject({ state: 'unknown', submissionDeadline: null, cleanLooks: 0 });
    bed.market.deliver();
    await bed.work();
    expect((await bed.row(order)).state).toBe('open');
  });

  it('is settled with the credentials that sent it when they are replaced', async () => {
    bed.market.script = ['request_lost', 'answer_lost'];
    const lost = await bed.place();
    const made = await bed.place({ volume: '0.6' });
    await bed.replaceCredentials();
    await bed.work(20, 10 * MINUTE);
    expect((await bed.row(lost)).state).toBe('not_placed');
    expect((await bed.row(made)).state).toBe('open');
    expect(await bed.db.query(`select from replaced_credentials where wallet_id = $1`, [bed.wallet.id])).toEqual([]);
  });

  it('is never taken for not made with other credentials than those that sent it', async () => {
    bed.market.script = ['request_lost'];
    const order = await bed.place();
    await bed.replaceCredentials();
    await bed.db.query(`delete from replaced_credentials where wallet_id = $1`, [bed.wallet.id]);
    await workFor(PROVABLE + MINUTE);
    expect((await bed.row(order)).state).toBe('unknown');
  });

  it('is looked for once by who reads it at the same time, or again within ORDER_CHECK_SECONDS', async () => {
    bed.market.script = ['request_late'];
    const order = await bed.place();
    const reads = bed.market.reads;
    await Promise.all(Array.from({ length: 20 }, () => bed.read(order)));
    await bed.read(order);
    expect(bed.market.reads).toBe(reads + 1);
    bed.clock.advance(2_000);
    bed.market.deliver();
    const found = await bed.counted('found');
    // Another process finds it, too.
    bed.market.onRead = async () => {
      bed.market.onRead = () => undefined;
      await bed.get(SettleOrder).execute(order.id);
    };
    expect((await bed.read(order)).status).toBe('open');
    expect(await bed.counted('found')).toBe(found + 1);
  });

  it('stays unknown while the exchange cannot be asked, which proves nothing', async () => {
    bed.market.script = ['request_lost'];
    const order = await bed.place();
    bed.market.isDown = true;
    await bed.work(20, 10 * MINUTE);
    expect(await bed.row(order)).toMatchObject({ state: 'unknown', cleanLooks: 0 });
    await expect(bed.read(order)).rejects.toMatchObject({ code: 'TRADING_PROVIDER_ERROR' });
  });

  it('of a deleted wallet is settled with the credentials that are held, and then no longer followed', async () => {
    bed.market.script = ['answer_lost'];
    const order = await bed.place();
    await deleteWallet();
    await bed.work();
    expect((await bed.row(order)).state).toBe('open');
    expect(await bed.db.query(`select from wallet_credentials where wallet_id = $1`, [bed.wallet.id])).toEqual([]);
    bed.market.change(bed.market.only(order), 'closed', '0.5');
    await bed.work(3, MINUTE);
    expect(await bed.row(order)).toMatchObject({ state: 'open', nextCheckAt: null });
  });

  it('is not looked for any more when the kept credentials are erased, and stands in nobody’s way', async () => {
    bed.market.script = ['request_lost'];
    const order = await bed.place();
    await bed.db.query(`delete from wallet_credentials where wallet_id = $1`, [bed.wallet.id]);
    await bed.work();
    expect(await bed.row(order)).toMatchObject({ state: 'unknown', nextCheckAt: null });
    // Nor again when somebody reads it with the credentials of a new connection.
    await bed.reconnect();
    bed.market.script = ['request_lost'];
    const equal = await bed.place();
    expect(await bed.read(order)).toMatchObject({ id: order.id, status: 'unknown' });
    expect((await bed.row(order)).nextCheckAt).toBeNull();
    expect((await bed.row(equal)).nextCheckAt).not.toBeNull();
  });

  it('is proven by few calls, and leaves the wallet its calls, however many there are', async () => {
    bed.market.script = Array.from({ length: 20 }, () => 'request_lost');
    for (let count = 1; count <= 20; count++) await bed.place({ volume: `0.${count + 10}` });
    const { reads, proofs } = bed.market;
    await workFor(PROVABLE - 10_000);
    // Once at once, and then one of them in ORDER_SPACING_SECONDS.
    expect(bed.market.reads - reads).toBeLessThanOrEqual(20 + PROVABLE / 5_000);
    expect(bed.market.proofs).toBe(proofs);
    await workFor(2 * MINUTE);
    expect(new Set((await bed.orders()).map(({ state }) => state))).toEqual(new Set(['not_placed']));
    expect(bed.market.proofs - proofs).toBeLessThanOrEqual(40);
  });

  it('is settled by what the exchange itself said, however late that is written down', async () => {
    const order = await bed.placeAndDie('die_before');
    bed.clock.advance(20_000);
    await bed.work();
    expect((await bed.row(order)).state).toBe('unknown');
    const refusal = { code: 'GENERIC_INVALID_REQUEST' as const, message: 'refused', result: null };
    await bed.get(OrderLedger).refused(order, refusal, {});
    expect((await bed.row(order)).state).toBe('refused');
    expect(await bed.get(OrderLedger).refused(order, refusal, {})).toBeNull();
  });
});

describe('an order that the exchange has', () => {
  it('is followed until it is final, and told of exactly when something has changed', async () => {
    const order = await bed.place();
    const made = bed.market.only(order);
    await bed.work(4, MINUTE);
    expect((await bed.events(order)).map(({ data }) => data['rawStatus'])).toEqual(['accepted', 'open']);
    bed.market.change(made, 'open', '0.2');
    await bed.work(3, MINUTE);
    bed.market.change(made, 'canceled', '0.2');
    await bed.work(3, MINUTE);
    expect(await bed.row(order)).toMatchObject({ state: 'closed', status: 'canceled', nextCheckAt: null });
    const told = (await bed.events(order)).map(({ data }) => [data['status'], data['executedVolume'], data['cost']]);
    expect(told).toEqual([
      ['open', '0', '0'],
      ['open', '0', '0'],
      ['open', '0.2', '4000'],
      ['canceled', '0.2', '4000'],
    ]);
    const reads = bed.market.reads;
    await bed.work(3, MINUTE);
    expect((await bed.read(order)).status).toBe('canceled');
    expect(bed.market.reads).toBe(reads);
  });

  it('is asked about more and more seldom as it grows old', async () => {
    const order = await bed.place();
    const pauseAt = async (age: number, isFailed = false): Promise<number> => {
      bed.clock.advance(order.createdAt.getTime() + age * 1_000 - bed.clock.now().getTime());
      return (
        ((await bed.get(NextLook).after(order, bed.clock.now(), isFailed)).getTime() - bed.clock.now().getTime()) /
        1_000
      );
    };
    const ages = [1, 60, 3_600, 86_400];
    const pauses: number[][] = [];
    for (const age of ages) pauses.push([await pauseAt(age), await pauseAt(age, true)]);
    expect(pauses).toEqual([
      [2, 4],
      [6, 12],
      [360, 720],
      [1_800, 1_800],
    ]);
    const reads = bed.market.reads;
    await bed.work(12, 5 * MINUTE);
    expect(bed.market.reads - reads).toBeLessThanOrEqual(3);
  });

  it('leaves the wallet its calls, however many there are: a thousand take less than a twentieth of them', async () => {
    const order = await bed.place();
    await bed.db.query(
      `insert into orders select (jsonb_populate_record(o, jsonb_build_object('id', gen_random_uuid(), 'client_order_id', n,
         'next_check_at', null))).* from orders o, generate_series(1, 999) n where o.id = $1`,
      [order.id],
    );
    bed.clock.advance(MINUTE);
    // The first look at one more waits like any other.
    const { nextCheckAt } = await bed.place({ volume: '0.6' });
    expect((nextCheckAt?.getTime() ?? 0) - bed.clock.now().getTime()).toBeGreaterThan(MINUTE);
    const pauseMs = (await bed.get(NextLook).after(order, bed.clock.now())).getTime() - bed.clock.now().getTime();
    const { EXCHANGE_CALLS_PER_SECOND } = bed.get(Config).values;
    expect(1_000 / (pauseMs / 1_000)).toBeLessThan(EXCHANGE_CALLS_PER_SECOND / 20);
  });

  it('is not asked about with a key that is known to be invalid, until it is valid again', async () => {
    const order = await bed.place();
    const mark = (isInvalid: boolean) =>
      bed.db.query(`update wallets set invalid_api = $2 where id = $1`, [bed.wallet.id, isInvalid]);
    await mark(true);
    const reads = bed.market.reads;
    await bed.work(10, MINUTE);
    expect(bed.market.reads).toBe(reads);
    await mark(false);
    bed.market.change(bed.market.only(order), 'closed', '0.5');
    await bed.work(10, MINUTE);
    expect((await bed.row(order)).status).toBe('filled');
  });

  it('is looked at no sooner after a fault of ours than after one of the exchange', async () => {
    const order = await bed.place();
    bed.clock.advance(60 * MINUTE);
    const fault = new Error('a fault');
    bed.market.onRead = () => Promise.reject(fault);
    await expect(bed.get(SettleOrder).execute(order.id)).rejects.toBe(fault);
    bed.market.onRead = () => undefined;
    const { nextCheckAt } = await bed.row(order);
    expect((nextCheckAt?.getTime() ?? 0) - bed.clock.now().getTime()).toBe(12 * MINUTE);
  });

  it('is confirmed without the row of its wallet, and answered as it was seen while that is in use', async () => {
    const order = await bed.place();
    await bed.read(order);
    bed.clock.advance(MINUTE);
    const other = new pg.Client(bed.ownerUrl);
    await other.connect();
    await other.query('begin');
    await other.query('select from wallets where id = $1 for update', [bed.wallet.id]);
    const { readAt } = await bed.read(order);
    expect([readAt, (await bed.row(order)).readAt]).toEqual([bed.clock.now(), bed.clock.now()]);
    bed.clock.advance(MINUTE);
    bed.market.change(bed.market.only(order), 'open', '0.2');
    expect((await bed.read(order)).executedVolume.toString()).toBe('0.2');
    expect((await bed.row(order)).executedVolume.isZero()).toBe(true);
    await other.end();
    expect((await bed.read(order)).executedVolume.toString()).toBe('0.2');
    expect(await bed.events(order)).toHaveLength(3);
  });

  it('is read once in ORDER_FRESH_MS, however often it is asked for', async () => {
    const order = await bed.place();
    const reads = bed.market.reads;
    await bed.read(order);
    await bed.read(order);
    expect(bed.market.reads).toBe(reads + 1);
    bed.clock.advance(500);
    await bed.read(order);
    expect(bed.market.reads).toBe(reads + 2);
    // A clock that was ahead made it no fresher.
    bed.clock.advance(-30_000);
    bed.market.change(bed.market.only(order), 'closed', '0.5');
    expect((await bed.read(order)).status).toBe('filled');
  });

  it('ends as the exchange says at last, also with less than was executed before', async () => {
    const order = await bed.place();
    bed.market.change(bed.market.only(order), 'open', '0.3');
    await bed.read(order);
    bed.clock.advance(MINUTE);
    bed.market.change(bed.market.only(order), 'open', '0.2');
    expect((await bed.read(order)).executedVolume.toString()).toBe('0.3');
    bed.clock.advance(MINUTE);
    bed.market.change(bed.market.only(order), 'canceled', '0.2');
    bed.logged.length = 0;
    expect(await bed.read(order)).toMatchObject({ state: 'closed', status: 'canceled' });
    expect((await bed.row(order)).executedVolume.toString()).toBe('0.2');
    expect(bed.logged).toMatchObject([{ was: '0.3', is: '0.2' }]);
  });

  it('stays what it is when the exchange does not show it, or uses a word of its own', async () => {
    const order = await bed.place();
    const made = bed.market.only(order);
    bed.market.orders.pop();
    expect(await bed.read(order)).toMatchObject({ status: 'open', rawStatus: 'accepted' });
    bed.market.orders.push(made);
    bed.market.change(made, 'halted');
    bed.clock.advance(MINUTE);
    expect(await bed.read(order)).toMatchObject({ state: 'open', status: 'unknown', rawStatus: 'halted' });
    bed.market.change(made, 'expired');
    await bed.work(3, MINUTE);
    expect(await bed.row(order)).toMatchObject({ state: 'closed', status: 'expired' });
  });

  it('never goes back: neither by an older reading, nor by one that shows less, nor after its end', async () => {
    const ledger = bed.get(OrderLedger);
    const order = await bed.place();
    const made = bed.market.only(order);
    const at = (seconds: number) => new Date(bed.clock.now().getTime() + seconds * 1_000);
    const first = { ...made };
    bed.market.change(made, 'open', '0.2');
    const second = { ...made };
    bed.market.change(made, 'open', '0.3');
    const third = { ...made };
    bed.market.change(made, 'closed', '0.5');
    await ledger.read(order, third, at(3), at(60));
    expect((await ledger.read(order, second, at(2), at(60))).executedVolume.toString()).toBe('0.3');
    expect((await ledger.read(order, first, at(9), at(60))).executedVolume.toString()).toBe('0.3');
    // An end is an end, whenever it was asked for.
    expect((await ledger.read(order, made, at(1), at(60))).status).toBe('filled');
    expect((await ledger.read(order, { ...third, executedVolume: made.executedVolume }, at(20), at(60))).status).toBe(
      'filled',
    );
    expect(await bed.events(order)).toHaveLength(3);
  });
});
