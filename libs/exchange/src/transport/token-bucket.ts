import type { Clock } from '#platform/clock';

/** A rate limit whose tokens refill continuously, up to a burst. */
export class TokenBucket {
  private tokens: number;
  /** Monotonic time, because a change of the wall clock must add no tokens. */
  private countedAtMs: number;

  constructor(
    private readonly clock: Clock,
    private readonly perSecond: number,
    private readonly burst: number,
  ) {
    this.tokens = burst;
    this.countedAtMs = clock.monotonicMs();
  }

  /** Milliseconds until a call is allowed. A call that costs more than the burst waits for a full bucket. */
  waitMs(cost = 1): number {
    this.refill();
    const missing = Math.min(cost, this.burst) - this.tokens;
    return missing <= 0 ? 0 : Math.ceil((missing * 1000) / this.perSecond);
  }

  /** Takes the tokens of a call at once, even if the call must still wait for `waitMs`. */
  take(cost = 1): void {
    this.refill();
    this.tokens -= cost;
  }

  private refill(): void {
    const nowMs = this.clock.monotonicMs();
    this.tokens = Math.min(this.burst, this.tokens + ((nowMs - this.countedAtMs) * this.perSecond) / 1000);
    this.countedAtMs = nowMs;
  }
}
