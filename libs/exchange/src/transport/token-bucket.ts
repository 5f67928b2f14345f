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
    /** The part of the rate and of the burst that this process may use now, above 0 and at most 1. */
    private readonly share: () => number = () => 1,
  ) {
    this.tokens = this.burstNow;
    this.countedAtMs = clock.monotonicMs();
  }

  /** Milliseconds until a call is allowed. A call that costs more than the burst waits for a full bucket. */
  waitMs(cost = 1): number {
    this.refill();
    const missing = Math.min(cost, this.burstNow) - this.tokens;
    return missing <= 0 ? 0 : Math.ceil((missing * 1000) / (this.perSecond * this.share()));
  }

  /** Takes the tokens of a call at once, even if the call must still wait for `waitMs`. */
  take(cost = 1): void {
    this.refill();
    this.tokens -= cost;
  }

  private refill(): void {
    const nowMs = this.clock.monotonicMs();
    const refilled = ((nowMs - this.countedAtMs) * this.perSecond * this.share()) / 1000;
    this.tokens = Math.min(this.burstNow, this.tokens + refilled);
    this.countedAtMs = nowMs;
  }

  /** At least one call, so that calls are possible with any share. */
  private get burstNow(): number {
    return Math.max(1, this.burst * this.share());
  }
}
