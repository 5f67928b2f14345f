const PERIOD_MS = 50;
/** Weight of a new measurement in the moving average. */
const WEIGHT = 0.3;

/** Measures how late the event loop runs its timers. The delay shows an overload, whatever its cause. */
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

  /** The average delay. While a measurement is overdue, its delay so far is included. */
  get ms(): number {
    return Math.max(this.delayMs, (performance.now() - this.expectedAt) * WEIGHT);
  }
}
