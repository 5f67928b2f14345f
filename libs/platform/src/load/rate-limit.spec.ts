import { RateLimit } from './rate-limit.js';

describe('a rate limit', () => {
  let now = 0;
  const limit = (most: number): RateLimit => new RateLimit(most, 60_000, () => now);
  beforeEach(() => (now = 5_000));

  it('admits requests up to the limit, and counts the refused requests, too', () => {
    const rates = limit(2);
    expect([1, 2, 3, 4].map(() => rates.count('a'))).toEqual([
      { count: 1, isAdmitted: true, msLeft: 60_000 },
      { count: 2, isAdmitted: true, msLeft: 60_000 },
      { count: 3, isAdmitted: false, msLeft: 60_000 },
      { count: 4, isAdmitted: false, msLeft: 60_000 },
    ]);
  });

  it('never reports more time left than a window, whatever fractions of a millisecond the clock has', () => {
    for (now = 1; now < 100_000; now += 777.777) {
      expect(limit(1).count('a').msLeft).toBeLessThanOrEqual(60_000);
    }
  });

  it('begins a new window for the first request after the end of the last window', () => {
    const rates = limit(1);
    rates.count('a');
    now += 59_999;
    expect(rates.count('a')).toEqual({ count: 2, isAdmitted: false, msLeft: 1 });
    now += 1;
    expect(rates.find('a')).toBeNull();
    expect(rates.count('a')).toEqual({ count: 1, isAdmitted: true, msLeft: 60_000 });
  });

  it('counts each key separately, and reads a state without counting', () => {
    const rates = limit(1);
    rates.count('a');
    now += 1_000;
    expect(rates.count('b').isAdmitted).toBe(true);
    expect(rates.find('a')).toEqual({ count: 1, isAdmitted: true, msLeft: 59_000 });
    expect(rates.find('c')).toBeNull();
  });

  it('forgets each key whose window has ended, also a key that had several windows', () => {
    const rates = limit(10);
    rates.count('a');
    rates.count('b');
    now += 60_000;
    rates.count('a');
    expect(rates.size).toBe(1);
    now += 30_000;
    rates.count('c');
    now += 30_000;
    rates.count('d');
    expect(rates.size).toBe(2);
    expect(rates.find('c')).not.toBeNull();
  });
});
