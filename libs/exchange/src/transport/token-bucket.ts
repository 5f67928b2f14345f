import type { Clock } from '#platform/clock';

/** A budget of calls that refills continuously, also while nobody calls. */
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

  /** Milliseconds until a call may be made. */
  waitMs(): number {
    this.refill();
    return this.tokens >= 1 ? 0 : Math.ceil(((1 - this.tokens) * 1000) / this.perSecond);
  }

  /** Books one call, also one that is to wait for `waitMs`. */
  take(): void {
    this.refill();
    this.tokens -= 1;
  }

  private refill(): void {
    const now = this.clock.now().getTime();
    // A clock that was set back earns nothing.
    const elapsedMs = Math.max(0, now - this.countedAt);
    this.tokens = Math.min(this.burst, this.tokens + (elapsedMs * this.perSecond) / 1000);
    this.countedAt = now;
  }
}
