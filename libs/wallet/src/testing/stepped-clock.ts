import { TestClock } from '#platform/testing';

interface Wait {
  until: number;
  end: () => void;
}

/**
 * A clock that advances when a test advances it, and by 1 ms with each reading. `sleep` waits by this clock.
 */
export class SteppedClock extends TestClock {
  private at = Date.UTC(2026, 0, 1);
  private readonly waits = new Set<Wait>();

  override trueNow(): Date {
    return new Date(this.at++);
  }

  override databaseNow(): Promise<Date> {
    return Promise.resolve(this.trueNow());
  }

  /** Advances the clock and ends the waits that are over by then. */
  advance(ms: number): void {
    this.at += ms;
    for (const wait of this.waits) if (wait.until <= this.at) wait.end();
  }

  /** Advances the clock to the end of the next wait. */
  advanceToNextWait(): void {
    const until = Math.min(...[...this.waits].map((wait) => wait.until));
    if (until === Infinity) throw new Error('no wait is pending on this clock');
    this.advance(Math.max(0, until - this.at));
  }

  override sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const end = (): void => {
        this.waits.delete(wait);
        resolve();
      };
      const wait: Wait = { until: this.at + ms, end };
      if (signal?.aborted) return resolve();
      this.waits.add(wait);
      signal?.addEventListener('abort', end, { once: true });
    });
  }
}
