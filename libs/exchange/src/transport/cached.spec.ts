import { runAsMoney } from '#platform/load';
import { Cached } from './cached.js';
import { ManualClock } from '../testing/manual-clock.js';

describe('Cached', () => {
  it('reads again after the time to live although the wall clock was set back', async () => {
    const clock = new ManualClock();
    let reads = 0;
    const cached = new Cached(clock, 1_000, () => Promise.resolve(++reads));
    await cached.get();
    clock.wallErrorMs = -3_600_000;
    clock.advance(1_000);
    expect(await cached.get()).toBe(2);
  });

  it('reads once for concurrent callers, and again when the value is old', async () => {
    const clock = new ManualClock();
    let reads = 0;
    const cached = new Cached(clock, 1_000, async () => ++reads);
    expect(await Promise.all([cached.get(), cached.get()])).toEqual([1, 1]);
    clock.advance(999);
    expect(await cached.get()).toBe(1);
    clock.advance(1);
    expect(await cached.get()).toBe(2);
  });

  it('starts another read at once for executions and orders, whose calls overtake a waiting read', async () => {
    let reads = 0;
    const cached = new Cached(new ManualClock(), 1_000, () =>
      ++reads === 1 ? new Promise<never>(() => undefined) : Promise.resolve(reads),
    );
    void cached.get();
    expect(await runAsMoney(() => Promise.all([cached.get(), cached.get()]))).toEqual([2, 2]);
    expect([await cached.get(), reads]).toEqual([2, 2]);
  });

  it('returns the time of the read with every call', async () => {
    const clock = new ManualClock();
    const readAt = clock.now();
    const cached = new Cached(clock, 1_000, () => Promise.resolve(clock.advance(10)));
    await cached.get();
    clock.advance(500);
    expect((await cached.getDated()).readAt).toEqual(readAt);
  });

  it('does not keep a failure', async () => {
    const answers = [Promise.reject(new Error('down')), Promise.resolve('up')];
    const cached = new Cached(new ManualClock(), 1_000, () => answers.shift() ?? Promise.resolve('later'));
    await expect(cached.get()).rejects.toThrow('down');
    expect(await cached.get()).toBe('up');
  });
});
