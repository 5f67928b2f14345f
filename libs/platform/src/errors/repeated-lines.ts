/** Each cause gets one line in this time. An outage or an overload would otherwise write hundreds a second. */
const PERIOD_MS = 10_000;
/** Most causes that are remembered, more than there are codes and reasons. Beyond it a cause may be logged too often. */
const CAUSES_MAX = 1_000;

interface Repeats {
  loggedAt: number;
  /** Occurrences since the last line. */
  times: number;
}

/** Limits the log lines for one cause. */
export class RepeatedLines {
  private readonly repeats = new Map<string, Repeats>();

  /** @returns null when no line is due, else the number of occurrences since the last line. */
  count(cause: string, now = performance.now()): number | null {
    const known = this.repeats.get(cause);
    if (known !== undefined && now - known.loggedAt < PERIOD_MS) {
      known.times += 1;
      return null;
    }
    if (this.repeats.size >= CAUSES_MAX) this.repeats.clear();
    this.repeats.set(cause, { loggedAt: now, times: 0 });
    return known?.times ?? 0;
  }
}
