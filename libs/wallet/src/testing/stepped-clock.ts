import { TestClock } from '#platform/testing';

interface Wait {
  until: number;
  end: () => void;
}

/**
 * Time that passes only when a test lets it pass, for all who wait at once. Of two moments the later one is always later.
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

  /** Ends the waits that end by then. */
  advance(ms: number): void {
    this.at += ms;
    for (const wait of this.waits) if (wait.until <= this.at) wait.end();
  }

  /** Ends the wait that ends first. */
  advanceToNextWait(): void {
    const until = Math.min(...[...this.waits].map((wait) => wait.until));
    if (until === Infinity) throw new Error('nothing waits for time to pass');
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
