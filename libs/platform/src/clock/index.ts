import { Injectable } from '@nestjs/common';
import { v7 } from 'uuid';

/** No clock of the house is this far off another's: what was written further ahead was written by one that was wrong. */
export const CLOCK_ERROR_MS = 120_000;

/** The time of day and new ids: the only source of either in the house, so that tests own both. */
@Injectable()
export class Clock {
  now(): Date {
    return new Date();
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
