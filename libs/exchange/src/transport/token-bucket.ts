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

  /** Milliseconds until the next call is allowed. */
  waitMs(): number {
    this.refill();
    return this.tokens >= 1 ? 0 : Math.ceil(((1 - this.tokens) * 1000) / this.perSecond);
  }

  /** Takes a token, also for a call that will wait for `waitMs`. */
  take(): void {
    this.refill();
    this.tokens -= 1;
  }

  private refill(): void {
    const now = this.clock.now().getTime();
    // A clock that was set back adds no tokens.
    const elapsedMs = Math.max(0, now - this.countedAt);
    this.tokens = Math.min(this.burst, this.tokens + (elapsedMs * this.perSecond) / 1000);
    this.countedAt = now;
  }
}
