import type { Clock } from '#platform/clock';
import { currentLoad, waitOutside } from '#platform/load';
import type { LimitScope } from './call-limit.js';
import { reasonOf, type CallerPauses } from './pauses.js';
import type { TokenBucket } from './token-bucket.js';
import type { HttpResponse } from './transport.js';

/** The use of the exchange's limits by one call. */
export interface CallUse {
  /**
   * Method and path of the endpoint, as declared in code; absent = the call waits only for pauses that apply to all
   * endpoints.
   */
  readonly endpoint?: string;
  /** For how many calls this call counts in the limit; absent = one. */
  readonly cost?: number;
}

/** Our own limit of calls to an exchange is reached; nothing was sent. */
export class OverBudget extends Error {
  constructor(
    what: string,
    /** The milliseconds after which the call can be sent; absent = not known. */
    readonly retryAfterMs?: number,
  ) {
    super(`own limit: ${what}`);
    this.name = 'OverBudget';
  }
}

/** A call that waits until an earlier one has ended. */
interface Waiter {
  start: () => void;
  timer: NodeJS.Timeout;
}

export interface QueueLimits {
  /**
   * Maximum number of calls at a time; absent = one. With one, the calls arrive in the order of their nonces, as some
   * exchanges require.
   */
  readonly atOnce?: number;
  readonly waitingMax: number;
  readonly waitMaxMs: number;
}

/**
 * Starts the calls of one credential, and not faster than each of `buckets` allows. Calls of executions and orders
 * start first. Calls of the same kind start in the order of their arrival.
 */
export class CallQueue {
  private running = 0;
  /** The waiting calls of executions and orders. Other waiting calls do not count against the limit of these calls. */
  private readonly moneyWaiters = new Set<Waiter>();
  private readonly otherWaiters = new Set<Waiter>();

  constructor(
    private readonly clock: Clock,
    private readonly buckets: readonly TokenBucket[],
    private readonly limits: QueueLimits,
    private readonly pauses: CallerPauses,
  ) {}

  /** @throws OverBudget when too many calls wait, or when the call waits too long. */
  run<T>(call: () => Promise<T>, use: CallUse = {}): Promise<T> {
    return waitOutside(() => this.runQueued(call, use));
  }

  /**
   * Pauses further calls if the response to a read demands a pause, or shows that a limit of calls is used up.
   * @param of the calls that `Retry-After` concerns
   */
  heed(response: HttpResponse, endpoint: string, of: LimitScope = 'credential'): void {
    const { status, limitsReached = [] } = response;
    this.pauses.begin(of, endpoint, { pauseMs: undocumentedMs(response), reason: 'retry_after', status });
    for (const reached of limitsReached) {
      this.pauses.begin(reached.of, endpoint, { pauseMs: reached.pauseMs, reason: reasonOf(reached), status });
    }
  }

  /**
   * Pauses only the endpoint of a call that moves money: a limit of withdrawals must not stop the reads that search for
   * withdrawals. A documented ban stops these reads, too, because the exchange refuses them.
   */
  heedSubmission(response: HttpResponse, endpoint: string): void {
    const { status, limitsReached = [] } = response;
    this.pauses.begin('endpoint', endpoint, { pauseMs: undocumentedMs(response), reason: 'retry_after', status });
    for (const reached of limitsReached) {
      const of = reached.shownBy === 'ban' ? reached.of : 'endpoint';
      this.pauses.begin(of, endpoint, { pauseMs: reached.pauseMs, reason: reasonOf(reached), status });
    }
  }

  private async runQueued<T>(call: () => Promise<T>, use: CallUse): Promise<T> {
    await this.enter();
    try {
      await this.pace(use);
      return await call();
    } finally {
      this.leave();
    }
  }

  private async enter(): Promise<void> {
    const { atOnce = 1, waitingMax, waitMaxMs } = this.limits;
    if (this.running < atOnce) {
      this.running += 1;
      return;
    }
    const waiters = currentLoad()?.loadClass === 'money' ? this.moneyWaiters : this.otherWaiters;
    if (waiters.size >= waitingMax) throw new OverBudget('too many calls of this credential are waiting');
    await new Promise<void>((resolve, reject) => {
      const timer = setTimeout(() => {
        waiters.delete(waiter);
        reject(new OverBudget('earlier calls of this credential take too long'));
      }, waitMaxMs);
      const waiter: Waiter = { start: resolve, timer };
      waiters.add(waiter);
    });
  }

  /** Starts the next waiting call after a call has ended. */
  private leave(): void {
    const waiters = this.moneyWaiters.size > 0 ? this.moneyWaiters : this.otherWaiters;
    const [next] = waiters;
    if (next === undefined) {
      this.running -= 1;
      return;
    }
    waiters.delete(next);
    clearTimeout(next.timer);
    next.start();
  }

  private async pace({ endpoint, cost = 1 }: CallUse): Promise<void> {
    const waitUntilMs = this.clock.monotonicMs() + this.limits.waitMaxMs;
    const pauseMs = this.pauseLeftMs(endpoint, waitUntilMs);
    const waitMs = Math.max(pauseMs, ...this.buckets.map((bucket) => bucket.waitMs(cost)));
    if (waitMs > this.limits.waitMaxMs)
      throw new OverBudget('too many calls; the next one would have to wait too long', waitMs);
    for (const bucket of this.buckets) bucket.take(cost);
    // During each wait, the response to another call can demand a further pause.
    for (let leftMs = waitMs; leftMs > 0; leftMs = this.pauseLeftMs(endpoint, waitUntilMs)) {
      await this.clock.sleep(leftMs);
    }
  }

  /** @throws OverBudget when the pause ends after `waitUntilMs`, in monotonic time. */
  private pauseLeftMs(endpoint: string | undefined, waitUntilMs: number): number {
    const leftMs = this.pauses.leftMs(endpoint);
    if (leftMs > 0 && this.clock.monotonicMs() + leftMs > waitUntilMs) {
      throw new OverBudget('the exchange has asked for a pause, which is too long to wait for', leftMs);
    }
    return leftMs;
  }
}

/** The time in `Retry-After`, unless it states the end of a documented ban. */
function undocumentedMs({ retryAfterMs = 0, limitsReached = [] }: HttpResponse): number {
  return limitsReached.some(({ shownBy }) => shownBy === 'ban') ? 0 : retryAfterMs;
}
