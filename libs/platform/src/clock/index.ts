import { Injectable } from '@nestjs/common';
import { v7 } from 'uuid';

/**
 * Rows that only keep an exchange's answer (tickers, catalogues, addresses, networks, looks at an order) are dated by the
 * host that read it. One that is dated further ahead than this was written by a wrong clock and keeps nothing newer out. Two
 * hosts within the largest CLOCK_DIFFERENCE_MAX_MS (60 s) of the database are never further apart.
 */
export const CLOCK_ERROR_MS = 120_000;

/** The time of day, monotonic time and new ids: the only source of them in the house, so that tests own all three. */
@Injectable()
export class Clock {
  now(): Date {
    return new Date();
  }

  /**
   * Milliseconds since an arbitrary moment. They pass evenly even when the wall clock (`now`) is set, so that the difference
   * of two readings is the time that has really passed.
   */
  monotonicMs(): number {
    return performance.now();
  }

  /** A time-ordered UUIDv7: rows of one table sort by creation. */
  newId(): string {
    return v7();
  }

  /** Resolves after `ms`, or at once when the signal is aborted. */
  async sleep(ms: number, signal?: AbortSignal): Promise<void> {
    await new Promise<void>((resolve) => {
      if (signal?.aborted) return resolve();
      const done = (): void => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', done);
        resolve();
      };
      const timer = setTimeout(done, ms);
      signal?.addEventListener('abort', done);
    });
  }
}
