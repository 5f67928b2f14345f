import type { Clock } from '#platform/clock';

/** A rate limit whose tokens refill continuously, up to a burst. */
export class TokenBucket {
  private tokens: number;
  private countedAt: number;

  constructor(
    private readonly clock: Clock,
    private readonly perSecond: number,
    private readonly burst: number,
  ) {
    this.tokens = burst;
    this.countedAt = clock.now().getTime();
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
    const now = this.clock.now().getTime();
    // A clock that was set back adds no tokens.
    const elapsedMs = Math.max(0, now - this.countedAt);
    this.tokens = Math.min(this.burst, this.tokens + (elapsedMs * this.perSecond) / 1000);
    this.countedAt = now;
  }
}
