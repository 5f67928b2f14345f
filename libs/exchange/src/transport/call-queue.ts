import type { Clock } from '#platform/clock';
import { waitOutside } from '#platform/load';
import type { LimitScope } from './call-limit.js';
import { Pauses } from './pauses.js';
import type { TokenBucket } from './token-bucket.js';
import type { HttpResponse } from './transport.js';

/** The name of a pause of all endpoints. */
const ALL = '*';

/** The use of the exchange's limits by one call. */
export interface CallUse {
  /** Method and path of the endpoint, as declared in code; absent = only pauses of all endpoints apply. */
  readonly endpoint?: string;
  /** How many calls of the limit it uses; absent = one. */
  readonly cost?: number;
}

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
  private readonly pauses: Pauses;

  constructor(
    private readonly clock: Clock,
    private readonly buckets: readonly TokenBucket[],
    private readonly limits: { waitingMax: number; waitMaxMs: number },
    /** The pauses of all calls from our address, which other queues share. */
    private readonly addressPauses: Pauses = new Pauses(clock),
  ) {
    this.pauses = new Pauses(clock);
  }

  /** @throws OverBudget when too many calls wait, or when the call waits too long. */
  run<T>(call: () => Promise<T>, use: CallUse = {}): Promise<T> {
    return waitOutside(() => this.runQueued(call, use));
  }

  /** Starts no calls for as long as a response to a read asks for it, or shows that a limit is used up. */
  heed({ retryAfterMs, limitsReached = [] }: HttpResponse, endpoint: string): void {
    if (retryAfterMs !== undefined) this.pause('credential', endpoint, retryAfterMs);
    for (const { of, pauseMs } of limitsReached) this.pause(of, endpoint, pauseMs);
  }

  /**
   * Pauses only the endpoint of a call that moves money: a limit of withdrawals must not stop the reads that look for
   * them.
   */
  heedSubmission({ retryAfterMs, limitsReached = [] }: HttpResponse, endpoint: string): void {
    for (const pauseMs of [retryAfterMs ?? 0, ...limitsReached.map((each) => each.pauseMs)]) {
      this.pause('endpoint', endpoint, pauseMs);
    }
  }

  private pause(of: LimitScope, endpoint: string, pauseMs: number): void {
    const pauses = of === 'address' || of === 'address_endpoint' ? this.addressPauses : this.pauses;
    pauses.begin(of === 'endpoint' || of === 'address_endpoint' ? endpoint : ALL, pauseMs);
  }

  private async runQueued<T>(call: () => Promise<T>, use: CallUse): Promise<T> {
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
      await this.pace(use);
      return await call();
    } finally {
      done();
    }
  }

  private async waitForEarlier(before: Promise<void>): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const tooLate = new Promise<never>((_resolve, reject) => {
      const overdue = 'earlier calls of this credential take too long';
      timer = setTimeout(() => reject(new OverBudget(overdue)), this.limits.waitMaxMs);
    });
    try {
      await Promise.race([before, tooLate]);
    } finally {
      clearTimeout(timer);
    }
  }

  private async pace({ endpoint = ALL, cost = 1 }: CallUse): Promise<void> {
    const left = [this.pauses, this.addressPauses].flatMap((each) => [each.leftMs(ALL), each.leftMs(endpoint)]);
    const pauseMs = Math.max(...left);
    if (pauseMs > this.limits.waitMaxMs) throw new OverBudget('the exchange has asked for a pause');
    const waitMs = Math.max(pauseMs, ...this.buckets.map((bucket) => bucket.waitMs(cost)));
    if (waitMs > this.limits.waitMaxMs) throw new OverBudget('too many calls');
    for (const bucket of this.buckets) bucket.take(cost);
    if (waitMs > 0) await this.clock.sleep(waitMs);
  }
}
