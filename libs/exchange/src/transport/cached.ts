import type { Clock } from '#platform/clock';
import { currentLoad } from '#platform/load';

/** A value, and when its read began. */
export interface Dated<T> {
  value: T;
  readAt: Date;
}

interface Reading<T> {
  result: Promise<Dated<T>>;
  isMoney: boolean;
}

/**
 * Caches one value, and reads it again after its time to live. Only one read runs at a time, with one exception: an
 * execution or an order does not wait for the read of another request, but starts its own, because `CallQueue` starts
 * the calls of executions and orders first.
 */
export class Cached<T> {
  private value: Dated<T> | null = null;
  private staleAtMs = 0;
  private reading: Reading<T> | null = null;

  constructor(
    private readonly clock: Clock,
    private readonly ttlMs: number,
    private readonly read: () => Promise<T>,
  ) {}

  async get(): Promise<T> {
    return (await this.getDated()).value;
  }

  async getDated(): Promise<Dated<T>> {
    // The age is measured in monotonic time: with a wall clock that was set back, the value would be kept too long.
    if (this.value !== null && this.clock.monotonicMs() < this.staleAtMs) return this.value;
    const isMoney = currentLoad()?.loadClass === 'money';
    if (this.reading === null || (isMoney && !this.reading.isMoney)) {
      const result = this.refresh().finally(() => {
        if (this.reading?.result === result) this.reading = null;
      });
      this.reading = { result, isMoney };
    }
    return this.reading.result;
  }

  private async refresh(): Promise<Dated<T>> {
    const readAt = this.clock.now();
    const staleAtMs = this.clock.monotonicMs() + this.ttlMs;
    this.value = { value: await this.read(), readAt };
    this.staleAtMs = staleAtMs;
    return this.value;
  }
}
