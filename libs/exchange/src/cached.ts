import type { Clock } from '#platform/clock';

/** One value that is read again when it is older than its time to live; one read at a time. */
export class Cached<T> {
  private value: { of: T; readAt: number } | null = null;
  private reading: Promise<T> | null = null;

  constructor(
    private readonly clock: Clock,
    private readonly ttlMs: number,
    private readonly read: () => Promise<T>,
  ) {}

  async get(): Promise<T> {
    if (this.value !== null && this.clock.now().getTime() - this.value.readAt < this.ttlMs) return this.value.of;
    this.reading ??= this.refresh().finally(() => {
      this.reading = null;
    });
    return this.reading;
  }

  private async refresh(): Promise<T> {
    const of = await this.read();
    this.value = { of, readAt: this.clock.now().getTime() };
    return of;
  }
}
