import fc from 'fast-check';
import { v7 } from 'uuid';
import { nextSyncAfter, nextSyncAfterFailure, nextSyncAfterSkip } from './sync-schedule.js';

const PERIOD_MS = 900_000;
const now = new Date('2026-11-01T12:00:00Z');
const msUntil = (at: Date): number => at.getTime() - now.getTime();
const walletId = fc.uuid({ version: 7 });
const periodMs = fc.integer({ min: 5_000, max: 86_400_000 });

/** Counts the moments in each of the equal parts of a period. */
function shares(moments: number[], parts: number, lengthMs = PERIOD_MS): number[] {
  const counts = Array.from({ length: parts }, () => 0);
  for (const moment of moments) {
    const part = Math.floor(((moment % lengthMs) / lengthMs) * parts);
    counts[part] = (counts[part] ?? 0) + 1;
  }
  return counts;
}

describe('the next refresh of a wallet', () => {
  it('comes within the next period after the first refresh', () => {
    fc.assert(
      fc.property(walletId, periodMs, (wallet, period) => {
        const ms = msUntil(nextSyncAfter({ walletId: wallet, now, lastSyncAt: null, periodMs: period }));
        return ms >= 0 && ms <= period;
      }),
    );
  });

  it('comes one period after each later refresh; the period of a wallet is constant and deviates by at most 5 %', () => {
    fc.assert(
      fc.property(walletId, periodMs, (wallet, period) => {
        const due = (): number =>
          msUntil(nextSyncAfter({ walletId: wallet, now, lastSyncAt: new Date(0), periodMs: period }));
        return due() >= period * 0.95 - 1 && due() <= period * 1.05 && due() === due();
      }),
    );
  });

  it('of wallets that are connected at once is spread evenly over the first period', () => {
    const moments = Array.from({ length: 10_000 }, () =>
      msUntil(nextSyncAfter({ walletId: v7(), now, lastSyncAt: null, periodMs: PERIOD_MS })),
    );
    const counts = shares(moments, 20);
    // Each count is 500 on average; the bounds are six standard deviations away.
    expect(Math.min(...counts)).toBeGreaterThan(370);
    expect(Math.max(...counts)).toBeLessThan(630);
  });

  it('of wallets that came due at once is spread evenly over the whole period after ten periods', () => {
    const moments = Array.from({ length: 10_000 }, () => {
      const wallet = v7();
      let at = now;
      for (let round = 0; round < 10; round++) {
        at = nextSyncAfter({ walletId: wallet, now: at, lastSyncAt: at, periodMs: PERIOD_MS });
      }
      return msUntil(at);
    });
    const counts = shares(moments, 10);
    // Each count is 1,000 on average; the bounds are six standard deviations away.
    expect(Math.min(...counts)).toBeGreaterThan(820);
    expect(Math.max(...counts)).toBeLessThan(1_180);
  });

  it('comes after pauses that double with each failure up to the longest pause, and never shrink', () => {
    const firstPauseMs = fc.integer({ min: 1_000, max: 900_000 });
    const longestPauseMs = fc.integer({ min: 5_000, max: 604_800_000 });
    const failures = fc.integer({ min: 0, max: 5_000 });
    fc.assert(
      fc.property(walletId, failures, firstPauseMs, longestPauseMs, (wallet, count, first, longest) => {
        const pause = (after: number): number =>
          msUntil(
            nextSyncAfterFailure({
              walletId: wallet,
              now,
              failures: after,
              firstPauseMs: first,
              longestPauseMs: longest,
            }),
          );
        const [this_, next] = [pause(count), pause(count + 1)];
        const isDouble = next === longest || count >= 30 || Math.abs(next - 2 * this_) <= 2;
        return this_ > 0 && this_ <= longest && next >= this_ && isDouble;
      }),
    );
  });

  it('comes after five probe intervals, but after half a period at most, when its exchange does not respond', () => {
    fc.assert(
      fc.property(walletId, periodMs, (wallet, period) => {
        const ms = msUntil(nextSyncAfterSkip({ walletId: wallet, now, periodMs: period }, 30_000));
        const pause = Math.min(period / 2, 150_000);
        return ms >= pause * 0.95 - 1 && ms <= pause * 1.05;
      }),
    );
  });
});
