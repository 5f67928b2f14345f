import fc from 'fast-check';
import type { HistoryKind } from '#exchange';
import { testOverrides } from '#platform/config';
import { DAY, HOUR, SECOND, SyncHarness } from '../testing/sync-harness.js';

/** Longest time after which the exchange lists a record; less than TRANSACTION_OVERLAP_HOURS in this test. */
const LATE_MAX_MS = 0.8 * HOUR;
/** The default of WITHDRAWAL_CLOCK_SKEW_MS. */
const CLOCK_SKEW_MS = 60 * SECOND;

interface Step {
  act: keyof Acts;
  kind: HistoryKind;
  asset: string;
  lateMs: number;
  isPending: boolean;
  which: number;
  end: 'ok' | 'failed';
  ms: number;
}

/** The steps of a random run: jobs and failures on our side, and changes at the exchange. */
interface Acts {
  job: (step: Step) => Promise<void>;
  twoJobs: (step: Step) => Promise<void>;
  crash: (step: Step) => Promise<void>;
  outage: (step: Step) => Promise<void>;
  forgetCursors: () => void;
  passTime: (step: Step) => void;
  record: (step: Step) => void;
  endRecord: (step: Step) => void;
  execute: (step: Step) => Promise<void>;
  book: (step: Step) => void;
  link: (step: Step) => Promise<void>;
}

const act = fc.oneof(
  ...(
    [
      [6, 'job'],
      [1, 'twoJobs'],
      [2, 'crash'],
      [1, 'outage'],
      [1, 'forgetCursors'],
      [3, 'passTime'],
      [4, 'record'],
      [2, 'endRecord'],
      [2, 'execute'],
      [2, 'book'],
      [2, 'link'],
    ] as const
  ).map(([weight, name]) => ({ weight, arbitrary: fc.constant(name) })),
);
const step: fc.Arbitrary<Step> = fc.record({
  act,
  kind: fc.constantFrom<HistoryKind>('deposit', 'withdrawal'),
  asset: fc.constantFrom('BTC', 'ETH'),
  // The age that a record has when the exchange first lists it.
  lateMs: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: LATE_MAX_MS })),
  isPending: fc.boolean(),
  which: fc.nat({ max: 9 }),
  end: fc.constantFrom('ok', 'failed'),
  ms: fc.integer({ min: 0, max: LATE_MAX_MS }),
});

interface Execution {
  id: string;
  asset: string;
  /** Id of the exchange's record; null until the exchange has booked the withdrawal. */
  record: string | null;
  isLinked: boolean;
  /** The record's time is so far off that the record cannot be taken for this withdrawal. */
  isOff: boolean;
}

describe('a history that is read, with any events in any order', () => {
  let harness: SyncHarness;
  let executions: Execution[];

  beforeAll(async () => {
    harness = await SyncHarness.create({
      ...testOverrides({ TRANSACTION_SYNC_PAGES: 2, TRANSACTION_SYNC_PAGE_PAUSE_MS: 0, TRANSACTION_OVERLAP_HOURS: 1 }),
      TRANSACTION_SYNC_SECONDS: '3600',
    });
  });
  afterAll(() => harness.close());

  const pick = <T>(list: readonly T[], index = 0): T | undefined => list[index % Math.max(1, list.length)];

  async function interrupted(by: () => void, of: HistoryKind): Promise<void> {
    let pages = 0;
    harness.account.onPage = () => (++pages === 2 ? by() : undefined);
    await harness.sync(of).catch(() => undefined);
    harness.account.onPage = () => undefined;
    harness.account.failure = null;
  }

  async function link(execution: Execution): Promise<void> {
    if (execution.record === null || execution.isLinked) return;
    execution.isLinked = true;
    await harness.link(execution.id, execution.record);
  }

  const acts: Acts = {
    job: ({ kind }) => harness.sync(kind),
    twoJobs: async ({ kind }) => void (await Promise.all([harness.sync(kind), harness.sync(kind)])),
    crash: ({ kind }) =>
      interrupted(() => {
        throw new Error('killed');
      }, kind),
    outage: ({ kind }) =>
      interrupted(() => {
        harness.account.failure = 'unavailable';
      }, kind),
    forgetCursors: () => harness.account.forgetCursors(),
    passTime: ({ ms }) => void (harness.clock.at += 3 * ms),
    record: ({ kind, asset, lateMs, isPending }) => {
      const status = isPending ? 'pending' : 'ok';
      harness.account.add(harness.ago(lateMs), { kind, asset, status, rawStatus: status });
    },
    endRecord: ({ which, end }) => {
      const pending = harness.account.records.filter(({ status }) => status === 'pending');
      const record = pick(pending, which);
      if (record !== undefined) Object.assign(record, { status: end, rawStatus: end });
    },
    execute: async ({ asset }) => {
      executions.push({ id: await harness.execution({ asset }), asset, record: null, isLinked: false, isOff: false });
      harness.clock.at += SECOND;
    },
    // The record's time is up to LATE_MAX_MS too early, as at an exchange whose clock is behind.
    book: ({ which, lateMs }) => {
      const execution = pick(executions, which);
      if (execution === undefined || execution.record !== null) return;
      const { exchangeId } = harness.account.add(harness.ago(lateMs), { kind: 'withdrawal', asset: execution.asset });
      Object.assign(execution, { record: exchangeId, isOff: lateMs >= CLOCK_SKEW_MS });
    },
    link: async ({ which }) => {
      const execution = pick(executions, which);
      if (execution !== undefined) await link(execution);
    },
  };

  /** Checks that no row exists for the record of a withdrawal of ours whose id at the exchange is not known yet. */
  async function expectNoDouble(): Promise<void> {
    const waiting = executions.filter(({ isLinked, isOff }) => !isLinked && !isOff).map(({ record }) => record);
    const shown = waiting.length === 0 ? [] : await harness.ids();
    expect(shown.filter((id) => id !== null && waiting.includes(id))).toEqual([]);
  }

  it('contains each record of the exchange once, and each withdrawal of ours once', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 4 }),
        fc.nat({ max: 12 }),
        fc.array(step, { maxLength: 40, size: 'max' }),
        async (pageSize, past, steps) => {
          await harness.newWallet();
          executions = [];
          harness.account.pageSize = pageSize;
          for (let index = 0; index < past; index++) harness.account.add(harness.ago(Math.floor(index / 3) * DAY));
          for (const one of steps) {
            await acts[one.act](one);
            await expectNoDouble();
          }
          for (const execution of executions) {
            await link(execution);
            await harness.settle(execution.id, execution.isLinked ? 'ok' : 'failed');
          }
          await harness.work(6 * HOUR);

          const rows = await harness.rows();
          const shown = rows.map(({ exchangeTransactionId, status }) => [exchangeTransactionId, status]);
          const unsent = executions.filter(({ isLinked }) => !isLinked).map(() => [null, 'failed']);
          const listed = harness.account.records.map(({ exchangeId, status }) => [exchangeId, status]);
          expect(inOrder(shown)).toEqual(inOrder([...listed, ...unsent]));
          const ours = rows.filter(({ origin }) => origin === 'execution').map(({ id }) => id);
          expect(inOrder(ours)).toEqual(inOrder(executions.map(({ id }) => id)));
          expect(await harness.row('deposit')).toMatchObject({ window_until: null, deferred_from: null });
        },
      ),
      { numRuns: 40, endOnFailure: true },
    );
  }, 180_000);
});

function inOrder(list: unknown[]): unknown[] {
  return list.toSorted((a, b) => String(a).localeCompare(String(b)));
}
