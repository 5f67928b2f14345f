import pg from 'pg';
import { Config } from '#platform/config';
import { eraseCredentials, eraseReplacedCredentials } from '#wallet/testing';
import { OrderHarness } from '../testing/index.js';
import { NextCheck } from '../orders/next-check.js';
import { OrderTransitions } from '../orders/order-transitions.js';
import { SettleOrder } from './settle-order.js';

const MINUTE = 60_000;
/** Time after sending from which absence is proof: the submission deadline (30 s) plus ORDER_SETTLE_SECONDS (120 s). */
const PROVABLE = 150_000;

let harness: OrderHarness;

beforeAll(async () => {
  harness = await OrderHarness.create();
});
afterAll(() => harness.close());
beforeEach(async () => {
  // Takes the orders of earlier tests away from the worker.
  await harness.db.query(`update orders set next_check_at = null where next_check_at is not null`);
  await harness.newWallet();
  Object.assign(harness.market, { script: [], isDown: false, hasDeadline: true, forgetsAfterMs: Infinity });
});

/** Runs the worker every `everyMs`, for a total of `untilMs`. */
async function workFor(untilMs: number, everyMs = 5_000): Promise<void> {
  await harness.work(Math.ceil(untilMs / everyMs), everyMs);
}

const deleteWallet = () =>
  harness.db.query(`update wallets set deleted_at = $2 where id = $1`, [harness.wallet.id, harness.clock.now()]);

describe('an order with an unknown outcome', () => {
  it('is found by its client order id, is reported by an event, and then no longer holds its credentials', async () => {
    harness.market.script = ['answer_lost'];
    const order = await harness.place();
    await harness.work();
    const [made] = harness.market.of(order);
    expect(await harness.row(order)).toMatchObject({ state: 'open', status: 'open', exchangeIds: [made?.exchangeId] });
    expect(await harness.areHeld()).toBe(false);
    expect(await harness.events(order)).toMatchObject([
      { data: { orderId: order.id, walletId: harness.wallet.externalId, status: 'open', rawStatus: 'open' } },
    ]);
  });

  it.each([
    ['before sending', 'die_before', 0],
    ['after sending', 'die_after', 1],
  ] as const)('because the process died %s is resolved from the exchange’s records', async (_when, script, made) => {
    const order = await harness.placeAndDie(script);
    const reads = harness.market.reads;
    await harness.work(1, 19_999);
    expect(harness.market.reads).toBe(reads);
    expect((await harness.row(order)).state).toBe('placing');
    await workFor(PROVABLE + MINUTE);
    expect(await harness.row(order)).toMatchObject(
      made === 1
        ? { state: 'open', exchangeIds: [harness.market.of(order)[0]?.exchangeId] }
        : { state: 'not_placed', status: 'canceled', rawStatus: 'not_placed' },
    );
    expect(await harness.areHeld()).toBe(false);
    expect(harness.market.of(order)).toHaveLength(made);
    expect(await harness.events(order)).toHaveLength(1);
  });

  it('counts as never placed only after its deadline, ORDER_SETTLE_SECONDS and two separate searches without a result', async () => {
    harness.market.script = ['request_late'];
    const order = await harness.place();
    await workFor(PROVABLE - 10_000);
    expect(await harness.row(order)).toMatchObject({ state: 'unknown', cleanSearches: 0 });
    harness.clock.advance(10_000);
    await harness.read(order);
    await harness.read(order);
    expect(await harness.row(order)).toMatchObject({ state: 'unknown', cleanSearches: 1 });
    harness.clock.advance(2_000);
    expect(await harness.read(order)).toMatchObject({ status: 'canceled', rawStatus: 'not_placed' });
    harness.market.deliver();
    expect(harness.market.of(order)).toEqual([]);
    // The same order can be placed again, because the earlier one is settled.
    expect((await harness.place()).state).toBe('open');
  });

  it('is found when the exchange accepts it just before the submission deadline', async () => {
    harness.market.script = ['request_late'];
    const order = await harness.place();
    await workFor(29_000, 1_000);
    harness.market.deliver();
    await workFor(MINUTE);
    expect((await harness.row(order)).state).toBe('open');
  });

  it('stays unknown without a submission deadline until the exchange lists it', async () => {
    harness.market.hasDeadline = false;
    harness.market.script = ['request_late'];
    const order = await harness.place();
    await harness.work(30, 10 * MINUTE);
    expect(await harness.row(order)).toMatchObject({ state: 'unknown', submissionDeadline: null, cleanSearches: 0 });
    harness.market.deliver();
    await harness.work();
    expect((await harness.row(order)).state).toBe('open');
  });

  it('stays unknown, and is returned as unknown, when the exchange may no longer list an order of its age', async () => {
    harness.market.script = ['request_late'];
    const order = await harness.place();
    harness.clock.advance(10 * MINUTE);
    harness.market.forgetsAfterMs = 5 * MINUTE;
    expect((await harness.read(order)).status).toBe('unknown');
    await harness.work(30, 10 * MINUTE);
    expect(await harness.row(order)).toMatchObject({ state: 'unknown', cleanSearches: 0 });
  });

  it('gets its outcome with the credentials that sent it, even after they were replaced', async () => {
    harness.market.script = ['request_lost', 'answer_lost'];
    const lost = await harness.place();
    const made = await harness.place({ volume: '0.6' });
    await harness.replaceCredentials();
    await harness.work(20, 10 * MINUTE);
    expect((await harness.row(lost)).state).toBe('not_placed');
    expect((await harness.row(made)).state).toBe('open');
    expect(
      await harness.db.query(`select from replaced_credentials where wallet_id = $1`, [harness.wallet.id]),
    ).toEqual([]);
  });

  it('stays unknown when the credentials that sent it are erased', async () => {
    harness.market.script = ['request_lost'];
    const order = await harness.place();
    await harness.replaceCredentials();
    await eraseReplacedCredentials(harness.ownerUrl, harness.wallet);
    await workFor(PROVABLE + MINUTE);
    expect((await harness.row(order)).state).toBe('unknown');
  });

  it('is looked up once for concurrent callers, and at most once within ORDER_CHECK_SECONDS', async () => {
    harness.market.script = ['request_late'];
    const order = await harness.place();
    const reads = harness.market.reads;
    await Promise.all(Array.from({ length: 20 }, () => harness.read(order)));
    await harness.read(order);
    expect(harness.market.reads).toBe(reads + 1);
    harness.clock.advance(2_000);
    harness.market.deliver();
    const found = await harness.counted('found');
    // While the caller reads the order, the worker finds it. The metric counts the order as found only once.
    harness.market.onRead = async () => {
      harness.market.onRead = () => undefined;
      await harness.get(SettleOrder).execute(order.id);
    };
    expect((await harness.read(order)).status).toBe('open');
    expect(await harness.counted('found')).toBe(found + 1);
  });

  it('stays unknown while the exchange cannot be queried, which proves nothing', async () => {
    harness.market.script = ['request_lost'];
    const order = await harness.place();
    harness.market.isDown = true;
    await harness.work(20, 10 * MINUTE);
    expect(await harness.row(order)).toMatchObject({ state: 'unknown', cleanSearches: 0 });
    await expect(harness.read(order)).rejects.toMatchObject({ code: 'TRADING_PROVIDER_ERROR' });
  });

  it('of a deleted wallet is found with the held credentials, and then no longer checked', async () => {
    harness.market.script = ['answer_lost'];
    const order = await harness.place();
    await deleteWallet();
    await harness.work();
    expect((await harness.row(order)).state).toBe('open');
    expect(await harness.db.query(`select from wallet_credentials where wallet_id = $1`, [harness.wallet.id])).toEqual(
      [],
    );
    harness.market.change(harness.market.only(order), 'closed', '0.5');
    await harness.work(3, MINUTE);
    expect(await harness.row(order)).toMatchObject({ state: 'open', nextCheckAt: null });
  });

  it('is no longer looked up when the held credentials are erased, and blocks no other order', async () => {
    harness.market.script = ['request_lost'];
    const order = await harness.place();
    await eraseCredentials(harness.ownerUrl, harness.wallet);
    await harness.work();
    expect(await harness.row(order)).toMatchObject({ state: 'unknown', nextCheckAt: null });
    // The owner connects the wallet again. A read with its new credentials leaves the order unknown, and without a next
    // check.
    await harness.reconnect();
    harness.market.script = ['request_lost'];
    const equal = await harness.place();
    expect(await harness.read(order)).toMatchObject({ id: order.id, status: 'unknown' });
    expect((await harness.row(order)).nextCheckAt).toBeNull();
    expect((await harness.row(equal)).nextCheckAt).not.toBeNull();
  });

  it('is settled with few calls to the exchange, even when 20 orders of its wallet are in doubt', async () => {
    harness.market.script = Array.from({ length: 20 }, () => 'request_lost');
    for (let count = 1; count <= 20; count++) await harness.place({ volume: `0.${count + 10}` });
    const { reads, proofs } = harness.market;
    await workFor(PROVABLE - 10_000);
    // Each of the 20 orders is checked at once. After that, one check follows every ORDER_SPACING_SECONDS.
    expect(harness.market.reads - reads).toBeLessThanOrEqual(20 + PROVABLE / 5_000);
    expect(harness.market.proofs).toBe(proofs);
    await workFor(2 * MINUTE);
    expect(new Set((await harness.orders()).map(({ state }) => state))).toEqual(new Set(['not_placed']));
    expect(harness.market.proofs - proofs).toBeLessThanOrEqual(40);
  });

  it("is settled by the exchange's response, however late the response is stored", async () => {
    const order = await harness.placeAndDie('die_before');
    harness.clock.advance(20_000);
    await harness.work();
    expect((await harness.row(order)).state).toBe('unknown');
    const refusal = { code: 'GENERIC_INVALID_REQUEST' as const, message: 'refused', result: null };
    await harness.get(OrderTransitions).refused(order, refusal, { answer: {}, nextCheckAt: null });
    expect((await harness.row(order)).state).toBe('refused');
    expect(await harness.get(OrderTransitions).refused(order, refusal, { answer: {}, nextCheckAt: null })).toBeNull();
  });
});

describe('an order that the exchange has', () => {
  it('is followed until it is final, with exactly one event for each change', async () => {
    const order = await harness.place();
    const made = harness.market.only(order);
    await harness.work(4, MINUTE);
    expect((await harness.events(order)).map(({ data }) => data['rawStatus'])).toEqual(['accepted', 'open']);
    harness.market.change(made, 'open', '0.2');
    await harness.work(3, MINUTE);
    harness.market.change(made, 'canceled', '0.2');
    await harness.work(3, MINUTE);
    expect(await harness.row(order)).toMatchObject({ state: 'closed', status: 'canceled', nextCheckAt: null });
    const told = (await harness.events(order)).map(({ data }) => [
      data['status'],
      data['executedVolume'],
      data['cost'],
    ]);
    expect(told).toEqual([
      ['open', '0', '0'],
      ['open', '0', '0'],
      ['open', '0.2', '4000'],
      ['canceled', '0.2', '4000'],
    ]);
    const reads = harness.market.reads;
    await harness.work(3, MINUTE);
    expect((await harness.read(order)).status).toBe('canceled');
    expect(harness.market.reads).toBe(reads);
  });

  it('is checked less often as it grows old', async () => {
    const order = await harness.place();
    const pauseAt = async (age: number, isFailed = false): Promise<number> => {
      harness.clock.advance(order.createdAt.getTime() + age * 1_000 - harness.clock.now().getTime());
      return (
        ((await harness.get(NextCheck).after(order, harness.clock.now(), { isFailed })).getTime() -
          harness.clock.now().getTime()) /
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
    const reads = harness.market.reads;
    await harness.work(12, 5 * MINUTE);
    expect(harness.market.reads - reads).toBeLessThanOrEqual(3);
  });

  it('is checked so rarely that a thousand open orders use less than a twentieth of their wallet’s allowed calls', async () => {
    const order = await harness.place();
    await harness.db.query(
      `insert into orders select (jsonb_populate_record(o, jsonb_build_object('id', gen_random_uuid(), 'client_order_id', n,
         'next_check_at', null))).* from orders o, generate_series(1, 999) n where o.id = $1`,
      [order.id],
    );
    harness.clock.advance(MINUTE);
    // Even the first check of a new order comes late, because the pause grows with the wallet's number of open orders.
    const { nextCheckAt } = await harness.place({ volume: '0.6' });
    expect((nextCheckAt?.getTime() ?? 0) - harness.clock.now().getTime()).toBeGreaterThan(MINUTE);
    const pauseMs =
      (await harness.get(NextCheck).after(order, harness.clock.now())).getTime() - harness.clock.now().getTime();
    const { EXCHANGE_CALLS_PER_SECOND } = harness.get(Config).values;
    expect(1_000 / (pauseMs / 1_000)).toBeLessThan(EXCHANGE_CALLS_PER_SECOND / 20);
  });

  it('is not checked with a key that is known to be invalid, until the key is valid again', async () => {
    const order = await harness.place();
    const mark = (isInvalid: boolean) =>
      harness.db.query(`update wallets set invalid_api = $2 where id = $1`, [harness.wallet.id, isInvalid]);
    await mark(true);
    const reads = harness.market.reads;
    await harness.work(10, MINUTE);
    expect(harness.market.reads).toBe(reads);
    await mark(false);
    harness.market.change(harness.market.only(order), 'closed', '0.5');
    await harness.work(10, MINUTE);
    expect((await harness.row(order)).status).toBe('filled');
  });

  it('waits as long for its next check after an internal error as after an error of the exchange', async () => {
    const order = await harness.place();
    harness.clock.advance(60 * MINUTE);
    const fault = new Error('a fault');
    harness.market.onRead = () => Promise.reject(fault);
    await expect(harness.get(SettleOrder).execute(order.id)).rejects.toBe(fault);
    harness.market.onRead = () => undefined;
    const { nextCheckAt } = await harness.row(order);
    expect((nextCheckAt?.getTime() ?? 0) - harness.clock.now().getTime()).toBe(12 * MINUTE);
  });

  it('is read while its wallet is locked, and a change is then returned, but not stored', async () => {
    const order = await harness.place();
    await harness.read(order);
    harness.clock.advance(MINUTE);
    const other = new pg.Client(harness.ownerUrl);
    await other.connect();
    await other.query('begin');
    await other.query('select from wallets where id = $1 for update', [harness.wallet.id]);
    const { readAt } = await harness.read(order);
    expect([readAt, (await harness.row(order)).readAt]).toEqual([harness.clock.now(), harness.clock.now()]);
    harness.clock.advance(MINUTE);
    harness.market.change(harness.market.only(order), 'open', '0.2');
    expect((await harness.read(order)).executedVolume.toString()).toBe('0.2');
    expect((await harness.row(order)).executedVolume.isZero()).toBe(true);
    await other.end();
    expect((await harness.read(order)).executedVolume.toString()).toBe('0.2');
    expect(await harness.events(order)).toHaveLength(3);
  });

  it('is read once in ORDER_FRESH_MS, however often callers ask', async () => {
    const order = await harness.place();
    const reads = harness.market.reads;
    await harness.read(order);
    await harness.read(order);
    expect(harness.market.reads).toBe(reads + 1);
    harness.clock.advance(500);
    await harness.read(order);
    expect(harness.market.reads).toBe(reads + 2);
    // The stored time of the last read is now in the future. The order is read again all the same.
    harness.clock.advance(-30_000);
    harness.market.change(harness.market.only(order), 'closed', '0.5');
    expect((await harness.read(order)).status).toBe('filled');
  });

  it("ends with the exchange's final report, even if it shows less executed volume than before", async () => {
    const order = await harness.place();
    harness.market.change(harness.market.only(order), 'open', '0.3');
    await harness.read(order);
    harness.clock.advance(MINUTE);
    harness.market.change(harness.market.only(order), 'open', '0.2');
    expect((await harness.read(order)).executedVolume.toString()).toBe('0.3');
    harness.clock.advance(MINUTE);
    harness.market.change(harness.market.only(order), 'canceled', '0.2');
    harness.logged.length = 0;
    expect(await harness.read(order)).toMatchObject({ state: 'closed', status: 'canceled' });
    expect((await harness.row(order)).executedVolume.toString()).toBe('0.2');
    expect(harness.logged).toMatchObject([{ was: '0.3', is: '0.2' }]);
  });

  it('keeps its state when the exchange does not show it, or reports an unknown status', async () => {
    const order = await harness.place();
    const made = harness.market.only(order);
    harness.market.orders.pop();
    expect(await harness.read(order)).toMatchObject({ status: 'open', rawStatus: 'accepted' });
    harness.market.orders.push(made);
    harness.market.change(made, 'halted');
    harness.clock.advance(MINUTE);
    expect(await harness.read(order)).toMatchObject({ state: 'open', status: 'unknown', rawStatus: 'halted' });
    harness.market.change(made, 'expired');
    await harness.work(3, MINUTE);
    expect(await harness.row(order)).toMatchObject({ state: 'closed', status: 'expired' });
  });

  it('is not set back by an older read, by a read with less executed volume, or after its end', async () => {
    const ledger = harness.get(OrderTransitions);
    const order = await harness.place();
    const made = harness.market.only(order);
    const at = (seconds: number) => new Date(harness.clock.now().getTime() + seconds * 1_000);
    const first = { ...made };
    harness.market.change(made, 'open', '0.2');
    const second = { ...made };
    harness.market.change(made, 'open', '0.3');
    const third = { ...made };
    harness.market.change(made, 'closed', '0.5');
    await ledger.read(order, third, at(3), at(60));
    expect((await ledger.read(order, second, at(2), at(60))).executedVolume.toString()).toBe('0.3');
    expect((await ledger.read(order, first, at(9), at(60))).executedVolume.toString()).toBe('0.3');
    // A report of the final state is stored, even if it was requested before the stored report.
    expect((await ledger.read(order, made, at(1), at(60))).status).toBe('filled');
    expect((await ledger.read(order, { ...third, executedVolume: made.executedVolume }, at(20), at(60))).status).toBe(
      'filled',
    );
    expect(await harness.events(order)).toHaveLength(3);
  });
});
