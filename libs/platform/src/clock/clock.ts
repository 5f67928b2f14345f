import { Injectable } from '@nestjs/common';
import { v7 } from 'uuid';

/**
 * Largest difference between the clocks of two hosts. Rows that store an exchange's answer (tickers, catalogues,
 * addresses, networks, order reads) are dated by the host that read it. A row that is dated further in the future was
 * written with a wrong clock, and newer answers replace it. The value is twice the largest CLOCK_DIFFERENCE_MAX_MS,
 * because each host may differ from the database by that much.
 */
export const CLOCK_ERROR_MS = 120_000;

/** The only source of wall-clock time, monotonic time and new ids, so that tests can control all three. */
@Injectable()
export class Clock {
  now(): Date {
    return new Date();
  }

  /**
   * Milliseconds since an arbitrary moment. Setting the wall clock (`now`) does not change them, so the difference of
   * two readings is the time that has passed.
   */
  monotonicMs(): number {
    return performance.now();
  }

  /** A time-ordered UUIDv7, so that the rows of a table sort by creation. */
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
