import type { Clock } from '#platform/clock';

/** A value, and when its reading began. */
export interface Dated<T> {
  of: T;
  readAt: Date;
}

/** One value that is read again when it is older than its time to live; one read at a time. */
export class Cached<T> {
  private value: Dated<T> | null = null;
  private reading: Promise<Dated<T>> | null = null;

  constructor(
    private readonly clock: Clock,
    private readonly ttlMs: number,
    private readonly read: () => Promise<T>,
  ) {}

  async get(): Promise<T> {
    return (await this.getDated()).of;
  }

  async getDated(): Promise<Dated<T>> {
    if (this.value !== null && this.clock.now().getTime() - this.value.readAt.getTime() < this.ttlMs) return this.value;
    this.reading ??= this.refresh().finally(() => {
      this.reading = null;
    });
    return this.reading;
  }

  private async refresh(): Promise<Dated<T>> {
    const readAt = this.clock.now();
    this.value = { of: await this.read(), readAt };
    return this.value;
  }
}
