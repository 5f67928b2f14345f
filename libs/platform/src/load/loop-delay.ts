/** How often the delay is measured. */
const PERIOD_MS = 50;
/** How much of the estimate a new measurement is. */
const WEIGHT = 0.3;

/** How late this process is with what it should have done by now: the one sign of overload that needs no knowledge of its cause. */
export class LoopDelay {
  private delayMs = 0;
  private expectedAt = 0;
  private timer: NodeJS.Timeout | null = null;

  start(): void {
    this.expectedAt = performance.now() + PERIOD_MS;
    this.timer = setInterval(() => {
      const now = performance.now();
      this.delayMs += WEIGHT * (Math.max(0, now - this.expectedAt) - this.delayMs);
      this.expectedAt = now + PERIOD_MS;
    }, PERIOD_MS).unref();
  }

  stop(): void {
    if (this.timer !== null) clearInterval(this.timer);
  }

  /** A measurement that is overdue counts as well: the timer itself comes late. */
  get ms(): number {
    return Math.max(this.delayMs, (performance.now() - this.expectedAt) * WEIGHT);
  }
}
