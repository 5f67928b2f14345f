import fc from 'fast-check';
import type { HistoryKind } from '#exchange';
import { DAY, HOUR, SECOND, SyncBed } from '../testing/sync-bed.js';

/** Less than the overlap. */
const LATE_MAX_MS = 0.8 * HOUR;
/** As far as it is reckoned with. */
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

/** What happens at the exchange, here, and between the two. */
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
  // Within the overlap: how long ago something happened that the exchange shows only now.
  lateMs: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: LATE_MAX_MS })),
  isPending: fc.boolean(),
  which: fc.nat({ max: 9 }),
  end: fc.constantFrom('ok', 'failed'),
  ms: fc.integer({ min: 0, max: LATE_MAX_MS }),
});

interface Execution {
  id: string;
  asset: string;
  /** Once the exchange has booked it. */
  record: string | null;
  isLinked: boolean;
  /** Its time at the exchange is so far off that nobody can take it for this one. */
  isOff: boolean;
}

describe('whatever happens while a history is read', () => {
  let bed: SyncBed;
  let executions: Execution[];

  beforeAll(async () => {
    bed = await SyncBed.create({
      TRANSACTION_SYNC_PAGES: '2',
      TRANSACTION_SYNC_PAGE_PAUSE_MS: '0',
      TRANSACTION_SYNC_SECONDS: '3600',
      TRANSACTION_OVERLAP_HOURS: '1',
    });
  });
  afterAll(() => bed.close());

  const pick = <T>(list: readonly T[], index = 0): T | undefined => list[index % Math.max(1, list.length)];

  async function interrupted(by: () => void, of: HistoryKind): Promise<void> {
    let pages = 0;
    bed.account.onPage = () => (++pages === 2 ? by() : undefined);
    await bed.sync(of).catch(() => undefined);
    bed.account.onPage = () => undefined;
    bed.account.failure = null;
  }

  async function link(execution: Execution): Promise<void> {
    if (execution.record === null || execution.isLinked) return;
    execution.isLinked = true;
    await bed.link(execution.id, execution.record);
  }

  const acts: Acts = {
    job: ({ kind }) => bed.sync(kind),
    twoJobs: async ({ kind }) => void (await Promise.all([bed.sync(kind), bed.sync(kind)])),
    crash: ({ kind }) =>
      interrupted(() => {
        throw new Error('killed');
      }, kind),
    outage: ({ kind }) =>
      interrupted(() => {
        bed.account.failure = 'unavailable';
      }, kind),
    forgetCursors: () => bed.account.forgetCursors(),
    passTime: ({ ms }) => void (bed.clock.at += 3 * ms),
    record: ({ kind, asset, lateMs, isPending }) => {
      const status = isPending ? 'pending' : 'ok';
      bed.account.add(bed.ago(lateMs), { kind, asset, status, rawStatus: status });
    },
    endRecord: ({ which, end }) => {
      const pending = bed.account.records.filter(({ status }) => status === 'pending');
      const record = pick(pending, which);
      if (record !== undefined) Object.assign(record, { status: end, rawStatus: end });
    },
    execute: async ({ asset }) => {
      executions.push({ id: await bed.execution({ asset }), asset, record: null, isLinked: false, isOff: false });
      bed.clock.at += SECOND;
    },
    // Its clock may be off by more than is reckoned with.
    book: ({ which, lateMs }) => {
      const execution = pick(executions, which);
      if (execution === undefined || execution.record !== null) return;
      const { exchangeId } = bed.account.add(bed.ago(lateMs), { kind: 'withdrawal', asset: execution.asset });
      Object.assign(execution, { record: exchangeId, isOff: lateMs >= CLOCK_SKEW_MS });
    },
    link: async ({ which }) => {
      const execution = pick(executions, which);
      if (execution !== undefined) await link(execution);
    },
  };

  /** What may be a withdrawal of ours is not shown beside it. */
  async function expectNoDouble(): Promise<void> {
    const waiting = executions.filter(({ isLinked, isOff }) => !isLinked && !isOff).map(({ record }) => record);
    const shown = waiting.length === 0 ? [] : await bed.ids();
    expect(shown.filter((id) => id !== null && waiting.includes(id))).toEqual([]);
  }

  it('ends with each record once, as the exchange has it, and each withdrawal of ours as one of them', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 4 }),
        fc.nat({ max: 12 }),
        fc.array(step, { maxLength: 40, size: 'max' }),
        async (pageSize, past, steps) => {
          await bed.newWallet();
          executions = [];
          bed.account.pageSize = pageSize;
          for (let index = 0; index < past; index++) bed.account.add(bed.ago(Math.floor(index / 3) * DAY));
          for (const one of steps) {
            await acts[one.act](one);
            await expectNoDouble();
          }
          for (const execution of executions) {
            await link(execution);
            await bed.settle(execution.id, execution.isLinked ? 'ok' : 'failed');
          }
          await bed.work(6 * HOUR);

          const rows = await bed.rows();
          const shown = rows.map(({ exchangeTransactionId, status }) => [exchangeTransactionId, status]);
          const unsent = executions.filter(({ isLinked }) => !isLinked).map(() => [null, 'failed']);
          const listed = bed.account.records.map(({ exchangeId, status }) => [exchangeId, status]);
          expect(inOrder(shown)).toEqual(inOrder([...listed, ...unsent]));
          const ours = rows.filter(({ origin }) => origin === 'execution').map(({ id }) => id);
          expect(inOrder(ours)).toEqual(inOrder(executions.map(({ id }) => id)));
          expect(await bed.row('deposit')).toMatchObject({ window_until: null, deferred_from: null });
        },
      ),
      { numRuns: 40, endOnFailure: true },
    );
  }, 180_000);
});

function inOrder(list: unknown[]): unknown[] {
  return list.toSorted((a, b) => String(a).localeCompare(String(b)));
}
