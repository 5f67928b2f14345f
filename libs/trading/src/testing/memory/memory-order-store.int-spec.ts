import fc from 'fast-check';
import { OrderHarness } from '../order-harness.js';
import { BothOrderStores, orderOperations, type OrderCall } from './both-order-stores.js';

const RUNS = 50;
/** Maximum number of times that RUNS runs are played. The first time that reaches every operation is the last one. */
const BATCHES_MAX = 4;
const RUN_TIMEOUT_MS = 300_000;
const names = Object.keys(orderOperations) as OrderCall['op'][];

/** These operations are drawn more often: other operations need their results, or they seldom succeed. */
const leading = ['begin', 'find', 'accepted', 'unknown', 'unknown', 'absent', 'absent', 'read', 'notShown'] as const;
/** Each of these must have changed an order, and each of these refusals occurred; otherwise no run compared it. */
const deciding = [
  ...(['accepted', 'refused', 'notSent', 'unknown', 'notPlaced', 'sendAgain'] as const),
  ...(['endedUnexecuted', 'decided', 'decidedEnd'] as const),
];
const refusing = ['23001', '23505', 'OrderInDoubt', 'RateLimitExceeded', 'OrderKeyReused'];

const call = fc.record({
  op: fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom<OrderCall['op'][]>(...leading) },
    { weight: 4, arbitrary: fc.constantFrom(...names) },
  ),
  which: fc.nat({ max: 2 }),
  how: fc.nat({ max: 20 }),
  /** Milliseconds until the next operation. */
  pause: fc.constantFrom(0, 1, 2_000, 31_000),
});

/** Calls whose order random calls seldom have: [operation, order, other arguments, pause of 2 s unless given]. */
const lives = (
  [
    // Orders that were never placed, or that ended without an execution.
    [
      ['begin', 0, 1],
      ['unknown', 0, 1],
      ['absent', 0, 1],
      ['absent', 0, 1],
      ['notPlaced', 0, 1],
    ],
    [
      ['begin', 0, 1],
      ['accepted', 0, 1],
      ['absent', 0, 1],
      ['absent', 0, 1],
      ['endedUnexecuted', 0, 1],
    ],
    // Orders that an operator decides.
    [
      ['begin', 0, 1],
      ['unknown', 0, 1],
      ['decided', 0, 1],
      ['notShown', 0, 1],
      ['decidedEnd', 0, 1],
    ],
    // The database refuses a listing of a closed order, also one that comes too soon to count.
    [
      ['begin', 0, 1],
      ['accepted', 0, 1],
      ['notShown', 0, 3],
      ['absent', 0, 0, 0],
      ['decidedEnd', 0, 1, 0],
      ['absent', 0, 2],
    ],
    // An order that is no longer checked, and stays so.
    [
      ['begin', 0, 1],
      ['reschedule', 0, 5],
      ['reschedule', 0, 1],
    ],
    // A report of the order that a repeat made does not belong to the order that was not sent.
    [
      ['begin', 0, 6],
      ['notSent', 0, 1],
      ['begin', 1, 6],
      ['read', 0, 1],
    ],
    // More orders in a minute than ORDER_RATE_PER_MINUTE.
    [3, 6, 9, 15].map((how) => ['begin', how, how] as const),
  ] as [OrderCall['op'], number, number, 0?][][]
).map((life) => life.map(([op, which, how, pause = 2_000]) => ({ op, which, how, pause })));

describe('the memory store of orders', () => {
  let harness: OrderHarness;
  beforeAll(async () => (harness = await OrderHarness.create({ ORDER_RATE_PER_MINUTE: '3' })));
  afterAll(() => harness.close());

  it(
    'returns the same results as PostgreSQL for random operations, and holds the same rows afterwards',
    async () => {
      const changed = new Set<string>();
      const refusals = new Set<string>();
      const isComplete = (): boolean =>
        deciding.every((each) => changed.has(each)) && refusing.every((each) => refusals.has(each));
      const property = fc.asyncProperty(fc.array(call, { minLength: 20, maxLength: 80 }), async (made) => {
        const both = await BothOrderStores.open(harness);
        for (const { pause, ...each } of made) {
          const { real, memory } = await both.call(each);
          expect({ ...each, answer: memory }).toEqual({ ...each, answer: real });
          if (real !== null && typeof real === 'object' && 'error' in real)
            refusals.add(String((real.error as unknown[])[0]));
          else if (real !== null && real !== 'nothing held') changed.add(each.op);
          harness.clock.advance(pause);
        }
        const { real, memory } = await both.rows();
        expect(memory).toEqual(real);
      });
      for (let batch = 0; batch < BATCHES_MAX && !isComplete(); batch++)
        await fc.assert(property, { numRuns: RUNS, examples: lives.map((life): [typeof life] => [life]) });
      expect([...changed].sort()).toEqual(expect.arrayContaining(deciding));
      expect([...refusals].sort()).toEqual(expect.arrayContaining(refusing));
    },
    RUN_TIMEOUT_MS,
  );
});
