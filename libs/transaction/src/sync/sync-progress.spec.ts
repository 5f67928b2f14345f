import { progressOf, type KindProgress } from './sync-progress.js';

const day = (number: number): Date => new Date(Date.UTC(2026, 0, number));
const part = (rest: Partial<KindProgress> = {}): KindProgress => ({
  completeUntil: null,
  windowSince: null,
  windowUntil: null,
  reachedAt: null,
  records: 0,
  ...rest,
});
const reading = { windowSince: day(1), windowUntil: day(11), reachedAt: day(6), records: 7 };
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
      [part({ ...reading, reachedAt: day(12) }), part()],
      { fraction: 0 },
    ],
  ])('%s', (_what, parts, expected) => {
    expect(progressOf(parts, null)).toMatchObject(expected);
  });

  it('keeps the oldest time that it has reached, also when deposits or withdrawals are read again', () => {
    const before = { state: 'reading' as const, records: 1, reachedAt: day(2).toISOString(), fraction: 0.1 };
    expect(progressOf([part(reading), part(complete)], before).reachedAt).toBe(day(2).toISOString());
    expect(progressOf([part(reading), part(complete)], null).reachedAt).toBe(day(3).toISOString());
  });
});
