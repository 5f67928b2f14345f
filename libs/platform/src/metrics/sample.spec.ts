import { ManualClock } from '#platform/testing';
import { Sample } from './sample.js';

describe('a sample', () => {
  it('is read once for all callers while it is fresh, and read again afterwards', async () => {
    const clock = new ManualClock();
    let reads = 0;
    const sample = new Sample(clock, 5_000, () => Promise.resolve(++reads));
    expect(await Promise.all([sample.get(), sample.get(), sample.get()])).toEqual([1, 1, 1]);
    clock.advance(4_999);
    expect(await sample.get()).toBe(1);
    clock.advance(1);
    expect(await Promise.all([sample.get(), sample.get()])).toEqual([2, 2]);
  });

  it('is read again on time although the wall clock was set back', async () => {
    const clock = new ManualClock();
    let reads = 0;
    const sample = new Sample(clock, 5_000, () => Promise.resolve(++reads));
    await sample.get();
    clock.wallErrorMs = -3_600_000;
    clock.advance(5_000);
    expect(await sample.get()).toBe(2);
  });

  it('is not read a second time while a slow read is in progress', async () => {
    const clock = new ManualClock();
    let reads = 0;
    let finish: (value: number) => void = () => undefined;
    const sample = new Sample(clock, 5_000, () => {
      reads++;
      return new Promise<number>((resolve) => {
        finish = resolve;
      });
    });
    const first = sample.get();
    clock.advance(60_000);
    const second = sample.get();
    finish(7);
    expect(await Promise.all([first, second])).toEqual([7, 7]);
    expect(reads).toBe(1);
  });

  it('keeps a failure for as long as it keeps a value', async () => {
    const clock = new ManualClock();
    let reads = 0;
    const sample = new Sample(clock, 5_000, () => {
      reads++;
      return Promise.reject(new Error('down'));
    });
    await expect(sample.get()).rejects.toThrow('down');
    await expect(sample.get()).rejects.toThrow('down');
    expect(reads).toBe(1);
    clock.advance(5_000);
    await expect(sample.get()).rejects.toThrow('down');
    expect(reads).toBe(2);
  });
});
