import type { Clock } from '#platform/clock';
import { waitOutside } from '#platform/load';
import type { TokenBucket } from './token-bucket.js';

/** Longest pause that a response can cause. A wrong header must not stop a wallet for longer. */
const PAUSE_MAX_MS = 600_000;

/** Our own limit of calls to an exchange is reached; nothing was sent. */
export class OverBudget extends Error {
  constructor(what: string) {
    super(`own limit: ${what}`);
    this.name = 'OverBudget';
  }
}

/**
 * Runs the calls of one credential one after the other, at the rate that every bucket allows. Exchanges require that
 * the nonces rise in the order in which the calls arrive.
 */
export class CallQueue {
  private tail: Promise<void> = Promise.resolve();
  private waiting = 0;
  /** In monotonic time. */
  private pausedUntilMs = 0;

  constructor(
    private readonly clock: Clock,
    private readonly buckets: readonly TokenBucket[],
    private readonly limits: { waitingMax: number; waitMaxMs: number },
  ) {}

  /**
   * @param cost how many calls of the exchange's limit this call uses.
   * @throws OverBudget when too many calls wait, or when the call waits too long.
   */
  run<T>(call: () => Promise<T>, cost = 1): Promise<T> {
    return waitOutside(() => this.runQueued(call, cost));
  }

  /** Starts no call for this time, because the exchange has asked for it. */
  pauseFor(pauseMs: number): void {
    const untilMs = this.clock.monotonicMs() + Math.min(pauseMs, PAUSE_MAX_MS);
    this.pausedUntilMs = Math.max(this.pausedUntilMs, untilMs);
  }

  private async runQueued<T>(call: () => Promise<T>, cost: number): Promise<T> {
    if (this.waiting >= this.limits.waitingMax) throw new OverBudget('too many calls of this credential are waiting');
    const before = this.tail;
    let done: () => void = () => undefined;
    this.tail = new Promise((resolve) => {
      done = resolve;
    });
    this.waiting++;
    try {
      await this.waitForEarlier(before);
    } catch (error) {
      // The calls behind this one still wait for the calls before it.
      void before.then(done);
      throw error;
    } finally {
      this.waiting--;
    }
    try {
      await this.pace(cost);
      return await call();
    } finally {
      done();
    }
  }

  private async waitForEarlier(before: Promise<void>): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const tooLate = new Promise<never>((_resolve, reject) => {
      const overdue = new OverBudget('earlier calls of this credential take too long');
      timer = setTimeout(() => reject(overdue), this.limits.waitMaxMs);
    });
    try {
      await Promise.race([before, tooLate]);
    } finally {
      clearTimeout(timer);
    }
  }

  private async pace(cost: number): Promise<void> {
    const pauseMs = Math.max(0, this.pausedUntilMs - this.clock.monotonicMs());
    if (pauseMs > this.limits.waitMaxMs) throw new OverBudget('the exchange has asked for a pause');
    const waitMs = Math.max(pauseMs, ...this.buckets.map((bucket) => bucket.waitMs(cost)));
    if (waitMs > this.limits.waitMaxMs) throw new OverBudget('too many calls');
    for (const bucket of this.buckets) bucket.take(cost);
    if (waitMs > 0) await this.clock.sleep(waitMs);
  }
}
