import type { Clock } from '#platform/clock';

/** Caches a value, or the failure to read it, for `keepMs`. */
export class Sample<T> {
  private value: Promise<T> | null = null;
  private staleAt = 0;

  constructor(
    private readonly clock: Clock,
    private readonly keepMs: number,
    private readonly read: () => Promise<T>,
  ) {}

  get(): Promise<T> {
    if (this.value !== null && this.clock.monotonicMs() < this.staleAt) return this.value;
    this.staleAt = Infinity;
    this.value = this.read().finally(() => {
      this.staleAt = this.clock.monotonicMs() + this.keepMs;
    });
    return this.value;
  }
}
