import { progressOf, type KindProgress } from './sync-progress.js';

const day = (number: number): Date => new Date(Date.UTC(2026, 0, number));
const part = (rest: Partial<KindProgress> = {}): KindProgress => ({
  completeUntil: null,
  windowSince: null,
  windowUntil: null,
  completeSince: null,
  reachedAt: null,
  unlistedAt: null,
  records: 0,
  ...rest,
});
const begins = day(1);
const times = { completeSince: day(6), reachedAt: day(7) };
const reading = { windowSince: begins, windowUntil: day(11), ...times, records: 7 };
const complete = { completeUntil: day(11), reachedAt: day(3), records: 5 };

describe('the progress of the first reading', () => {
  it.each([
    ['begins with nothing', [part(), part()], { state: 'reading', records: 0, reachedAt: null, fraction: 0 }],
    ['is the part of the time that was read', [part(reading), part(reading)], { records: 14, fraction: 0.5 }],
    [
      'counts a kind that was read to its end as 1',
      [part({ completeUntil: day(2) }), part(reading)],
      { fraction: 0.75 },
    ],
    [
      'is complete when all kinds were read to their end',
      [part(complete), part(complete)],
      { state: 'complete', fraction: 1, records: 10 },
    ],
    [
      'is not below 0 for a record after the window',
      [part({ ...reading, completeSince: day(12) }), part()],
      { fraction: 0 },
    ],
  ])('%s', (_what, parts, expected) => {
    expect(progressOf(parts, { before: null, begins })).toMatchObject(expected);
  });

  it('keeps the oldest time that it has reached, also when deposits or withdrawals are read again', () => {
    const parts = [part(reading), part(complete)];
    const first = progressOf(parts, { before: null, begins });
    expect(first.reachedAt).toBe(day(3).toISOString());
    const before = { ...first, reachedAt: day(2).toISOString() };
    expect(progressOf(parts, { before, begins }).reachedAt).toBe(day(2).toISOString());
  });

  it.each([
    ['nothing while one kind was not begun', [part(), part(reading)], null],
    ['the later of the times', [part({ ...reading, completeSince: day(8) }), part(reading)], day(8)],
    ['what is left to read, when one kind was read to its end', [part(complete), part(reading)], day(6)],
    ['the beginning of the exchange, when all was read', [part(complete), part(complete)], begins],
  ])('is complete since: %s', (_what, parts, since) => {
    expect(progressOf(parts, { before: null, begins }).completeSince).toBe(since?.toISOString() ?? null);
  });

  it('names the latest moment of which records may be missing', () => {
    const parts = [part({ ...complete, unlistedAt: day(4) }), part({ ...complete, unlistedAt: day(5) })];
    expect(progressOf(parts, { before: null, begins }).unlistedAt).toBe(day(5).toISOString());
  });
});
