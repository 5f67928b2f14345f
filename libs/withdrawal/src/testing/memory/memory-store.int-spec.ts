import fc from 'fast-check';
import { WithdrawalHarness } from '../withdrawal-harness.js';
import { BothStores, operations, type Call } from './both-stores.js';

const RUNS = 100;
/** Maximum number of times that RUNS runs are played. The first time that reaches every operation is the last one. */
const BATCHES_MAX = 4;
const RUN_TIMEOUT_MS = 300_000;
const names = Object.keys(operations) as Call['op'][];

const deciding = ['accepted', 'correct', 'notSent', 'rejected', 'settled', 'unknown', 'verificationRequired'];
const refusing = ['23001', 'ExecutedWithOtherTag', 'UnresolvedDuplicate'];

/** These operations are drawn more often: other operations need their results, or they seldom succeed. */
const leading = [
  ...(['begin', 'refresh', 'refresh', 'unknown', 'notSent', 'accepted', 'correct', 'settled', 'toReview'] as const),
  ...(['verificationRequired', 'rejected'] as const),
];
const op = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom<Call['op'][]>(...leading) },
  { weight: 4, arbitrary: fc.constantFrom(...names) },
);
const call = fc.record({
  op,
  /** There are five quotes; the last one is of another wallet. */
  which: fc.nat({ max: 4 }),
  how: fc.nat({ max: 20 }),
  /** Milliseconds until the next operation. */
  pause: fc.constantFrom(0, 0, 1, 4_000, 31_000),
});

/** A wallet is deleted while a withdrawal holds earlier credentials, and another withdrawal ends. */
const DELETED_WHILE_HELD = (
  [
    ['begin', 3, 1],
    ['begin', 0, 1],
    ['replaceCredentials', 0, 0],
    ['deleteWallet', 0, 0],
    ['rejected', 0, 0],
  ] as const
).map(([each, which, how]) => ({ op: each, which, how, pause: 0 as const }));

describe('the memory store', () => {
  let harness: WithdrawalHarness;
  beforeAll(async () => (harness = await WithdrawalHarness.create({ WITHDRAWAL_RATE_PER_MINUTE: '2' })));
  afterAll(() => harness.close());

  const isEqual = async (): Promise<void> => {
    const changed = new Set<string>();
    const refusals = new Set<string>();
    const calls = fc.array(call, { minLength: 20, maxLength: 80 });
    const isComplete = (): boolean =>
      deciding.every((each) => changed.has(each)) && refusing.every((each) => refusals.has(each));
    const property = fc.asyncProperty(fc.boolean(), calls, async (inSameProject, made) => {
      const both = await BothStores.open(harness, { inSameProject });
      for (const { pause, ...each } of made) {
        const { real, memory } = await both.call(each);
        expect({ ...each, answer: memory }).toEqual({ ...each, answer: real });
        if (real === true) changed.add(each.op);
        if (real !== null && typeof real === 'object' && 'error' in real)
          refusals.add(String((real.error as unknown[])[0]));
        harness.clock.advance(pause);
      }
      const { real, memory } = await both.rows();
      expect(memory).toEqual(real);
    });
    for (let batch = 0; batch < BATCHES_MAX && !isComplete(); batch++)
      await fc.assert(property, { numRuns: RUNS, examples: [[false, DELETED_WHILE_HELD]] });
    // Each of these operations must have succeeded, and each of these refusals occurred; otherwise no run compared it.
    expect([...changed].sort()).toEqual(expect.arrayContaining(deciding));
    expect([...refusals].sort()).toEqual(expect.arrayContaining(refusing));
  };
  it(
    'returns the same results as PostgreSQL for random operations, and holds the same rows afterwards',
    isEqual,
    RUN_TIMEOUT_MS,
  );

  it.each([
    ['another wallet of the project', true],
    ['a wallet of another project', false],
  ])('returns the same results as PostgreSQL when %s has made an equal withdrawal', async (_whose, inSameProject) => {
    const both = await BothStores.open(harness, { inSameProject });
    const call = async (op: Call['op'], which: number, how = 1): Promise<unknown> => {
      const { real, memory } = await both.call({ op, which, how });
      expect(memory).toEqual(real);
      return real;
    };
    // Begins a withdrawal of each wallet. Both outcomes are unknown.
    for (const quote of [0, 4]) await call('begin', quote);
    for (const held of [0, 1]) expect(await call('unknown', held)).toBe(true);
    expect(await call('rivalry', 0, 0)).toBe('undecided');
    await call('recordSeen', 1);
    expect(await call('rivalry', 0, 0)).toBe('same_account');
    // The record X1 is linked to the withdrawal of the other wallet.
    expect(await call('accepted', 1, 1)).toBe(true);
    expect(await call('findCandidates', 0)).toEqual({ unlinked: ['X0', 'X2', 'X3'], ofOtherCredentials: ['X1'] });
    expect(await call('accepted', 0, 1)).toEqual({ error: ['RecordTaken', 'X1'] });
  });
});
