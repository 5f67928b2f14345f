import fc from 'fast-check';
import { ManualClock } from '../testing/manual-clock.js';
import { TokenBucket } from './token-bucket.js';

describe('TokenBucket', () => {
  it('allows a burst, and then one call per interval', () => {
    const bucket = new TokenBucket(new ManualClock(), 5, 3);
    const waits = [1, 2, 3, 4, 5].map(() => {
      const waitMs = bucket.waitMs();
      bucket.take();
      return waitMs;
    });
    expect(waits).toEqual([0, 0, 0, 200, 400]);
  });

  it('refills up to the burst while there are no calls', () => {
    const clock = new ManualClock();
    const bucket = new TokenBucket(clock, 5, 2);
    bucket.take();
    bucket.take();
    expect(bucket.waitMs()).toBe(200);
    clock.advance(3_600_000);
    bucket.take();
    bucket.take();
    expect(bucket.waitMs()).toBe(200);
  });

  it('lets a call wait for all its tokens, or for a full bucket if it costs more than the burst', () => {
    const bucket = new TokenBucket(new ManualClock(), 5, 4);
    bucket.take(3);
    expect([bucket.waitMs(), bucket.waitMs(2), bucket.waitMs(9)]).toEqual([0, 200, 600]);
    bucket.take(2);
    expect(bucket.waitMs()).toBe(400);
  });

  it.each([60_000, -60_000])('does not change when the wall clock is moved by %d ms', (wallErrorMs) => {
    const clock = new ManualClock();
    const bucket = new TokenBucket(clock, 1, 1);
    bucket.take();
    clock.wallErrorMs = wallErrorMs;
    expect(bucket.waitMs()).toBe(1_000);
  });

  it('never allows more calls than burst and rate', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 20 }),
        fc.integer({ min: 1, max: 20 }),
        fc.array(fc.integer({ min: 0, max: 2_000 }), { maxLength: 50 }),
        (perSecond, burst, pauses) => {
          const clock = new ManualClock();
          const bucket = new TokenBucket(clock, perSecond, burst);
          const start = clock.now().getTime();
          let calls = 0;
          for (const pauseMs of pauses) {
            clock.advance(pauseMs);
            if (bucket.waitMs() > 0) continue;
            bucket.take();
            calls++;
            const seconds = (clock.now().getTime() - start) / 1000;
            expect(calls).toBeLessThanOrEqual(burst + perSecond * seconds + 1e-6);
          }
        },
      ),
    );
  });
});
