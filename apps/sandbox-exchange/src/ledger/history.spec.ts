import fc from 'fast-check';
import { History, UnknownCursor } from './history.js';

interface Row {
  refid: string;
  at: number;
  kind: 'a' | 'b';
}

const rowsOf = (drawn: { at: number; kind: 'a' | 'b' }[]): Row[] =>
  drawn.map((row, index) => ({ ...row, refid: `r${index}` }));
const rows = fc.array(fc.record({ at: fc.nat({ max: 20 }), kind: fc.constantFrom('a', 'b') }), { maxLength: 40 });

function historyOf(records: Row[]): History<Row> {
  const history = new History<Row>({ idOf: ({ refid }) => refid, timeOf: ({ at }) => at });
  for (const row of records) history.set(row);
  return history;
}

describe('a history of the ledger', () => {
  it('returns the matching records page by page, newest first, and at equal times the last added first', () => {
    const query = fc.record({
      since: fc.nat({ max: 20 }),
      until: fc.nat({ max: 20 }),
      limit: fc.integer({ min: 1, max: 7 }),
    });
    fc.assert(
      fc.property(rows, query, fc.constantFrom('a', null), (drawn, { since, until, limit }, kind) => {
        const all = rowsOf(drawn);
        const history = historyOf(all);
        const matches = (row: Row) => kind === null || row.kind === kind;
        const expected = all
          .filter((row) => row.at >= since && row.at <= until && matches(row))
          .sort((one, other) => one.at - other.at)
          .reverse();
        const read: Row[] = [];
        for (let cursor: string | null = null, more = true; more;) {
          const page = history.page({ since, until, matches, cursor, limit });
          expect(page.records.length).toBe(Math.min(limit, expected.length - read.length));
          read.push(...page.records);
          more = page.more;
          cursor = page.records.at(-1)?.refid ?? null;
        }
        expect(read).toEqual(expected);
      }),
    );
  });

  it('finds a page by the number of records before it, and counts the records of a period', () => {
    const query = fc.record({ since: fc.nat({ max: 20 }), until: fc.nat({ max: 20 }) });
    const part = fc.record({ skipped: fc.nat({ max: 45 }), limit: fc.integer({ min: 1, max: 7 }) });
    fc.assert(
      fc.property(rows, query, part, fc.boolean(), (drawn, period, { skipped, limit }, isAny) => {
        const history = historyOf(rowsOf(drawn));
        const matches = isAny ? undefined : ({ kind }: Row) => kind === 'a';
        const all = history.page({ ...period, matches, cursor: null, limit: 50 }).records;
        const page = history.page({ ...period, matches, cursor: null, skipped, limit });
        expect(page).toEqual({ records: all.slice(skipped, skipped + limit), more: all.length > skipped + limit });
        expect(history.count({ ...period, matches })).toBe(all.length);
      }),
    );
  });

  it('reads at most two records more than the page contains', () => {
    const history = historyOf(rowsOf(Array.from({ length: 10_000 }, (_, at) => ({ at, kind: 'a' }))));
    let read = 0;
    const matches = () => ++read > 0;
    const query = { since: 100, until: 9000, matches, limit: 50 };
    const first = history.page({ ...query, cursor: null });
    expect(first.records[0]?.at).toBe(9000);
    expect(read).toBe(51);
    history.page({ ...query, cursor: first.records.at(-1)?.refid ?? null });
    expect(read).toBe(51 + 52);
  });

  it.each(['r1', 'r9', 'nobody'])('refuses the cursor %s, because the query finds no such record', (cursor) => {
    const history = historyOf(rowsOf(Array.from({ length: 10 }, (_, at) => ({ at, kind: at === 5 ? 'b' : 'a' }))));
    const query = { since: 3, until: 7, matches: ({ kind }: Row) => kind === 'a', limit: 5 };
    expect(() => history.page({ ...query, cursor })).toThrow(UnknownCursor);
    expect(() => history.page({ ...query, cursor: 'r5' })).toThrow(UnknownCursor);
    expect(history.page({ ...query, cursor: 'r6' }).records.map(({ refid }) => refid)).toEqual(['r4', 'r3']);
  });

  it('keeps a changed record in its place', () => {
    const history = historyOf(
      rowsOf([
        { at: 1, kind: 'a' },
        { at: 2, kind: 'a' },
      ]),
    );
    history.set({ refid: 'r0', at: 1, kind: 'b' });
    expect(history.newest(5)).toEqual([
      { refid: 'r1', at: 2, kind: 'a' },
      { refid: 'r0', at: 1, kind: 'b' },
    ]);
    expect(history.newest(1)).toHaveLength(1);
  });
});
