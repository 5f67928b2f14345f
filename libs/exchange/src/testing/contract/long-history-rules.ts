import type { ExchangeSession, HistoryKind } from '../../port/exchange.port.js';
import { ContractBench } from './contract-bench.js';
import type { Subject } from './contract-subjects.js';
import type { SampleRecord } from './exchange-contract.js';
import { BEGIN, historyPartsOf, listed, sample } from './history-rules.js';
import type { Rule } from './rule.js';

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
/** Maximum number of calls that a test makes. The test treats a longer history as endless and fails. */
const CALLS_MAX = 300;
/** Maximum number of requests of one call, besides the first one, which may list accounts. */
const REQUESTS_MAX = 30;

/** What a reader has, page by page. */
interface Reading {
  /** The times of the records by their ids. */
  readonly found: Map<string, number>;
  /** The moments of which the exchange lists only a part of the records. */
  readonly unlisted: number[];
  readonly calls: number;
}

/** Reads a range as the workers do, and expects that no page claims more than has been read. */
async function read(
  { history }: ExchangeSession,
  range: { since: Date; until: Date },
  { times, idOf, requests }: ReadOptions,
): Promise<Reading> {
  if (history === undefined) throw new Error('the session has no history');
  const found = new Map<string, number>();
  const unlisted: number[] = [];
  let cursor: string | null = null;
  let reached = range.until.getTime();
  for (let calls = 1; calls <= CALLS_MAX; calls++) {
    const before = requests();
    const page = await history.page('deposit', range, cursor);
    expect(requests() - before).toBeLessThanOrEqual(REQUESTS_MAX);
    expect(page.unreadable).toBe(0);
    for (const { exchangeId, hash, at } of page.records) found.set(idOf(exchangeId, hash), at.getTime());
    if (page.unlistedAt !== undefined) unlisted.push(page.unlistedAt.getTime());
    const oldest = Math.min(...page.records.map(({ at }) => at.getTime()));
    reached = Math.min(reached, page.reachedAt?.getTime() ?? oldest);
    const claimed = [...times].filter(([, time]) => time > reached && !unlisted.includes(time));
    expect(claimed.filter(([id]) => !found.has(id))).toEqual([]);
    cursor = page.nextCursor;
    if (cursor === null) return { found, unlisted, calls };
  }
  throw new Error(`the history needs more than ${CALLS_MAX} calls`);
}

interface ReadOptions {
  /** The times of all records of the range, by their ids. */
  readonly times: ReadonlyMap<string, number>;
  readonly idOf: (exchangeId: string, hash: string | null) => string;
  readonly requests: () => number;
}

async function readDeposits(subject: Subject, records: readonly SampleRecord[]): Promise<Reading> {
  const parts = historyPartsOf(subject);
  const kind: HistoryKind = 'deposit';
  const times = new Map(records.map(({ id, at }) => [id, at.getTime()]));
  const range = {
    since: new Date(Math.min(...times.values()) - HOUR_MS),
    until: new Date(Math.max(...times.values()) + HOUR_MS),
  };
  const isByHash = parts.history.depositsHaveNoIds === true;
  let reading: Reading | null = null;
  await ContractBench.run(subject, async ({ open, stub }) => {
    const session = await open();
    stub.answer(parts.history.listing(kind, listed(parts, kind, records)));
    const idOf = (exchangeId: string, hash: string | null): string => (isByHash ? (hash ?? '') : exchangeId);
    reading = await read(session, range, { times, idOf, requests: () => stub.calls().length });
  });
  if (reading === null) throw new Error('nothing was read');
  return reading;
}

const long: Rule = {
  id: 'EX-61',
  title: 'a history that needs more requests than one call makes arrives complete, part by part',
  needs: ['history'],
  checks: (subject) => {
    const parts = historyPartsOf(subject);
    const { pageSize, unitMs, windowDays } = parts.history;
    const at = (ms: number): Date => new Date(Math.floor((BEGIN.getTime() - ms) / unitMs) * unitMs);
    const one = (index: number, ms: number): SampleRecord =>
      sample(parts, { id: `record-${index}`, clientRef: `ref-${index}`, at: at(ms) });
    // Many records in a day, and a few in the period before it.
    const crowded = Math.ceil(pageSize * 6.2);
    const records = [
      ...Array.from({ length: crowded }, (_, index) => one(index, (index * DAY_MS) / crowded)),
      ...Array.from({ length: 5 }, (_, index) => one(crowded + index, ((windowDays ?? 60) + 3 * index) * DAY_MS)),
    ];
    return [
      {
        name: `${crowded} deposits in a day, with pages of ${pageSize}`,
        run: async () => {
          const { found, unlisted } = await readDeposits(subject, records);
          expect(unlisted).toEqual([]);
          expect([...found.keys()].sort()).toEqual(records.map(({ id }) => id).sort());
        },
      },
    ];
  },
};

const crowdedMoment: Rule = {
  id: 'EX-62',
  title: 'records of one moment that fill several pages are read, or named as not listed, and the reading goes on',
  needs: ['history'],
  checks: (subject) => {
    const parts = historyPartsOf(subject);
    const count = Math.ceil(parts.history.pageSize * 2.2);
    const records = Array.from({ length: count + 2 }, (_, index) =>
      sample(parts, {
        id: `record-${index}`,
        clientRef: `ref-${index}`,
        // One record is younger than the crowded moment, and one is older.
        at: new Date(BEGIN.getTime() + (index === 0 ? HOUR_MS : index > count ? -HOUR_MS : 0)),
      }),
    );
    return [
      {
        name: `${count} deposits at the same time`,
        run: async () => {
          const { found, unlisted } = await readDeposits(subject, records);
          const missing = records.filter(({ id }) => !found.has(id));
          expect(missing.filter(({ at }) => !unlisted.includes(at.getTime()))).toEqual([]);
          if (missing.length === 0) expect(found.size).toBe(records.length);
        },
      },
    ];
  },
};

export const longHistoryRules: readonly Rule[] = [long, crowdedMoment];
