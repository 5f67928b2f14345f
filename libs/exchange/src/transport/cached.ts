import type { Clock } from '#platform/clock';

/** A value, and when its read began. */
export interface Dated<T> {
  value: T;
  readAt: Date;
}

/** Caches one value, and reads it again after its time to live. Only one read runs at a time. */
export class Cached<T> {
  private value: Dated<T> | null = null;
  private staleAtMs = 0;
  private reading: Promise<Dated<T>> | null = null;

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
    this.reading ??= this.refresh().finally(() => {
      this.reading = null;
    });
    return this.reading;
  }

  private async refresh(): Promise<Dated<T>> {
    const readAt = this.clock.now();
    const staleAtMs = this.clock.monotonicMs() + this.ttlMs;
    this.value = { value: await this.read(), readAt };
    this.staleAtMs = staleAtMs;
    return this.value;
  }
}
