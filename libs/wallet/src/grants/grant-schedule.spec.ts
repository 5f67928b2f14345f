import { v7 } from 'uuid';
import { nextRefreshOf, pauseAfter } from './grant-schedule.js';

const NOW = new Date('2026-01-01T00:00:00Z');
const AHEAD_MS = 300_000;
const inMs = (ms: number): Date => new Date(NOW.getTime() + ms);

describe('the time of the next renewal', () => {
  it.each([
    ['some time before the access token expires', 3_600_000, null, 3_300_000],
    ['before the refresh token expires, when the access token expires later', 3_600_000, 1_800_000, 1_500_000],
    ['before the refresh token expires, when the exchange reports no other expiry', null, 1_800_000, 1_500_000],
    ['a tenth of the life of the refresh token before it expires', 20 * 86_400_000, 10 * 86_400_000, 9 * 86_400_000],
    ['after a day, when the exchange reports no expiry', null, null, 86_400_000],
    [
      'after a day, when the exchange reports only a later expiry of the refresh token',
      null,
      10 * 86_400_000,
      86_400_000,
    ],
    ['in the middle of the life of a short-lived access token', 60_000, null, 30_000],
    ['at once, when the access token has expired', -5_000, null, 0],
  ])('is %s', (_what, accessMs, refreshMs, expected) => {
    const grant = {
      accessExpiresAt: accessMs === null ? null : inMs(accessMs),
      refreshExpiresAt: refreshMs === null ? null : inMs(refreshMs),
    };
    expect(nextRefreshOf(grant, NOW, AHEAD_MS)).toEqual(inMs(expected));
  });

  it('follows a failure after a pause that doubles up to a limit and differs between wallets', () => {
    const pauses = [1, 2, 3, 100].map((failures) =>
      pauseAfter({ walletId: v7(), failures, firstPauseMs: 1_000, longestPauseMs: 10_000 }),
    );
    for (const [at, base] of [1_000, 2_000, 4_000, 10_000].entries()) {
      expect(pauses[at]).toBeGreaterThanOrEqual(base);
      expect(pauses[at]).toBeLessThanOrEqual(base * 1.1);
    }
    const spread = new Set(
      Array.from({ length: 20 }, () =>
        pauseAfter({ walletId: v7(), failures: 1, firstPauseMs: 1_000, longestPauseMs: 10_000 }),
      ),
    );
    expect(spread.size).toBeGreaterThan(10);
  });
});
