import type { Clock } from '#platform/clock';
import type { TokenBucket } from './token-bucket.js';

/** Our own budget for an exchange is used up; nothing was sent. */
export class OverBudget extends Error {
  constructor(what: string) {
    super(`own limit: ${what}`);
    this.name = 'OverBudget';
  }
}

/**
 * The calls of one credential: one after the other, because exchanges want increasing nonces in the order in which the
 * calls arrive, and no faster than every bucket allows.
 */
export class CallQueue {
  private tail: Promise<void> = Promise.resolve();
  private waiting = 0;

  constructor(
    private readonly clock: Clock,
    private readonly buckets: readonly TokenBucket[],
    private readonly limits: { waitingMax: number; waitMaxMs: number },
  ) {}

  /** @throws OverBudget when too many wait, or when its turn does not come in time. */
  async run<T>(call: () => Promise<T>): Promise<T> {
    if (this.waiting >= this.limits.waitingMax) throw new OverBudget('too many calls of this credential are waiting');
    const deadline = this.clock.now().getTime() + this.limits.waitMaxMs;
    const before = this.tail;
    let done: () => void = () => undefined;
    this.tail = new Promise((resolve) => {
      done = resolve;
    });
    this.waiting++;
    try {
      await this.turnAfter(before, deadline);
    } catch (error) {
      // Those behind wait for the calls before this one all the same.
      void before.then(done);
      throw error;
    } finally {
      this.waiting--;
    }
    try {
      await this.pace(deadline);
      return await call();
    } finally {
      done();
    }
  }

  private async turnAfter(before: Promise<void>, deadline: number): Promise<void> {
    const turn = new AbortController();
    const inTime = await Promise.race([
      before.then(() => true),
      this.clock.sleep(deadline - this.clock.now().getTime(), turn.signal).then(() => false),
    ]);
    turn.abort();
    if (!inTime) throw new OverBudget('earlier calls of this credential take too long');
  }

  private async pace(deadline: number): Promise<void> {
    const waitMs = Math.max(...this.buckets.map((bucket) => bucket.waitMs()));
    if (this.clock.now().getTime() + waitMs > deadline) throw new OverBudget('too many calls');
    for (const bucket of this.buckets) bucket.take();
    if (waitMs > 0) await this.clock.sleep(waitMs);
  }
}
