import fc from 'fast-check';
import type { ExchangeOrder } from '#exchange';
import { DomainError } from '#platform/errors';
import { OrderHarness, type OrderEvent, type PlaceScript } from '../testing/index.js';
import { OrderTransitions } from '../orders/order-transitions.js';
import { toOrderResponse } from '../orders/order.dto.js';
import type { Order } from '../orders/order.entity.js';

const SECOND = 1_000;
/** After this time only the first `RUNS_MIN` runs begin, so that the test ends in time on a busy machine. */
const TIME_LIMIT_MS = 8_000;
const RUNS_MIN = 10;
const SCRIPTS: PlaceScript[] = [
  ...(['accept', 'answer_lost', 'request_lost', 'refuse', 'not_sent', 'die_before', 'die_after'] as const),
  ...(['accept_and_refuse', 'fill_and_refuse'] as const),
  // The exchange gets the request late or never. These entries repeat, so that this case is frequent.
  ...(['request_late', 'request_late', 'request_late'] as const),
];

const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('place' as const),
      volume: fc.constantFrom('0.5', '0.5', '0.6'),
      key: fc.constantFrom(null, 'a'),
      script: fc.constantFrom(...SCRIPTS),
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('work' as const), rounds: fc.constantFrom(1, 3, 10) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('read' as const), which: fc.nat(9) }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('change' as const),
      which: fc.nat(9),
      rawStatus: fc.constantFrom('open', 'closed', 'canceled', 'expired', 'halted'),
    }),
  },
  // `ask` begins a slow read of an order. A later `hear` delivers the response.
  { weight: 3, arbitrary: fc.record({ do: fc.constant('ask' as const), which: fc.nat(9) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('hear' as const), which: fc.nat(9) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('deliver' as const) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('wait' as const), seconds: fc.constantFrom(1, 20, 160) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('outage' as const), isDown: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('replace' as const) }) },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

interface Asked {
  order: Order;
  seen: ExchangeOrder;
  askedAt: Date;
}

describe('the states of orders under random steps', () => {
  let harness: OrderHarness;
  /** The slow reads that `ask` has begun, and that `hear` will end. */
  let asked: Asked[];
  /** The rows after the previous step. */
  let before: Map<string, Order>;

  beforeAll(async () => {
    harness = await OrderHarness.create({ ORDER_RATE_PER_MINUTE: '100000' });
  });
  afterAll(() => harness.close());

  async function run(steps: Step[], hasDeadline: boolean): Promise<void> {
    await harness.db.query(`update orders set next_check_at = null where next_check_at is not null`);
    await harness.newWallet();
    const signedForMs = hasDeadline ? null : 60 * SECOND;
    Object.assign(harness.market, { hasDeadline, signedForMs, isDown: false, script: [] });
    harness.market.orders.length = 0;
    [asked, before] = [[], new Map()];
    for (const each of steps) {
      await take(each);
      await checkRows();
    }
    await everythingEnds(hasDeadline);
  }

  async function take(each: Step): Promise<void> {
    const rows = await harness.orders();
    const row = 'which' in each ? rows[each.which % rows.length] : undefined;
    switch (each.do) {
      case 'place':
        return place(each);
      case 'work':
        return harness.work(each.rounds, 5 * SECOND);
      case 'wait':
        return harness.clock.advance(each.seconds * SECOND);
      case 'deliver':
        return harness.market.deliver();
      case 'outage':
        harness.market.isDown = each.isDown;
        return;
      case 'replace':
        return harness.replaceCredentials();
      case 'read':
        await (row && harness.read(row).catch(isExpected));
        return;
      case 'ask':
        if (row !== undefined) ask(row);
        return;
      case 'hear':
        return hear(each.which);
      case 'change':
        change(each.which, each.rawStatus);
    }
  }

  function ask(order: Order): void {
    const [seen] = harness.market.of(order);
    if (seen !== undefined) asked.push({ order, seen: { ...seen }, askedAt: harness.clock.now() });
  }

  async function hear(which: number): Promise<void> {
    const [heard] = asked.splice(which % Math.max(asked.length, 1), 1);
    if (heard === undefined) return;
    await harness.get(OrderTransitions).read(heard.order, heard.seen, heard.askedAt, harness.clock.now());
  }

  async function place({ volume, key, script }: Extract<Step, { do: 'place' }>): Promise<void> {
    const made = harness.market.orders.length;
    harness.market.script = script === 'not_sent' ? Array<PlaceScript>(5).fill(script) : [script];
    // The key contains the volume, so that requests with another volume have another key.
    const idempotencyKey = key === null ? null : `${key} ${volume}`;
    try {
      const order = await harness.placeOrDie({ volume, idempotencyKey });
      if (order !== null) expect(['refused']).not.toContain(order.state);
    } catch (error) {
      isExpected(error);
      // A response with an error means that no order was placed.
      expect(harness.market.orders).toHaveLength(made);
    }
    harness.market.script = [];
  }

  /** Changes an order at the exchange. There an order only moves forward: more is executed, and its end is final. */
  function change(which: number, rawStatus: string): void {
    const order = harness.market.orders[which % Math.max(harness.market.orders.length, 1)];
    if (order === undefined || ['filled', 'canceled', 'expired'].includes(order.status)) return;
    const executed = rawStatus === 'closed' ? '0.5' : { '0': '0.1', '0.1': '0.2' }[order.executedVolume.toString()];
    harness.market.change(order, rawStatus, executed);
  }

  /**
   * Returns the orders at the exchange that belong to a row. Requests with one key share a client order id, so an order
   * at the exchange belongs to the last row with its client order id.
   */
  function madeOf(row: Order, rows: Order[]): ExchangeOrder[] {
    const last = rows.findLast(({ clientOrderId }) => clientOrderId === row.clientOrderId);
    return last === row ? harness.market.of(row) : [];
  }

  async function checkRows(): Promise<void> {
    const byKey = new Map<string, number>();
    const events = await harness.allEvents();
    const rows = await harness.orders();
    for (const row of rows) {
      const made = madeOf(row, rows);
      expect(made.length).toBeLessThanOrEqual(1);
      if (row.idempotencyKey !== null) {
        byKey.set(row.idempotencyKey, (byKey.get(row.idempotencyKey) ?? 0) + made.length);
      }
      if (row.state === 'refused' || row.state === 'not_placed') expect(made).toEqual([]);
      if (row.state === 'closed') expect(made).toMatchObject([{ status: row.status }]);
      if (row.exchangeIds.length > 0) expect(made.map(({ exchangeId }) => exchangeId)).toEqual(row.exchangeIds);
      const earlier = before.get(row.id);
      if (earlier?.state === 'closed') expect(row).toEqual(earlier);
      if (earlier !== undefined) expect(row.executedVolume.lessThan(earlier.executedVolume)).toBe(false);
      checkEvents(
        row,
        events.filter(({ subject }) => subject === row.id),
      );
      before.set(row.id, row);
    }
    expect([...byKey.values()].filter((count) => count > 1)).toEqual([]);
  }

  /** Checks that a client which knows the first state and all later events knows what `GET order` returns. */
  function checkEvents(row: Order, events: OrderEvent[]): void {
    const told = events.map(({ data }) => data);
    for (const [index, data] of told.entries()) expect(data).not.toEqual(told[index - 1]);
    const isAsAtFirst = row.status === 'unknown' && row.rawStatus === 'unknown' && row.rawAnswer === null;
    expect(told.length > 0 || isAsAtFirst).toBe(true);
    if (told.length > 0) expect(told.at(-1)).toMatchObject({ ...toOrderResponse(row) });
  }

  /**
   * Lets the worker check all orders while the exchange responds. Then each order that the exchange has accepted must
   * be found, and each other order must be settled.
   */
  async function everythingEnds(hasDeadline: boolean): Promise<void> {
    harness.market.isDown = false;
    harness.market.deliver();
    await harness.work(25, (hasDeadline ? 20 : 60) * SECOND);
    await checkRows();
    const rows = await harness.orders();
    for (const row of rows) {
      if (madeOf(row, rows).length > 0) expect(['open', 'closed']).toContain(row.state);
      else expect(['refused', 'not_placed']).toContain(row.state);
    }
  }

  it('never show two orders for one request, nor a refused order that the exchange has', async () => {
    // The time limit of fast-check would abandon the run under way, which would then use a closed database.
    const endsAt = performance.now() + TIME_LIMIT_MS;
    let runs = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 15, maxLength: 30, size: 'max' }),
        fc.constantFrom(true, true, false),
        async (steps, hasDeadline) => {
          if (runs >= RUNS_MIN && performance.now() >= endsAt) return;
          await run(steps, hasDeadline);
          runs += 1;
        },
      ),
      { numRuns: 200, endOnFailure: true },
    );
    expect(runs).toBeGreaterThanOrEqual(RUNS_MIN);
  });
});

/** Checks that the error is one that a caller may get, and not an internal error. */
function isExpected(error: unknown): void {
  expect(error).toBeInstanceOf(DomainError);
}
