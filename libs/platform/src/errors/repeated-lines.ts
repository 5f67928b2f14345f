/** One line for each cause in this time: an outage or an overload would else write hundreds a second. */
const PERIOD_MS = 10_000;
/** More causes than there are codes and reasons; a line too many when it is not enough. */
const CAUSES_MAX = 1_000;

interface Repeats {
  loggedAt: number;
  /** Since the last line. */
  times: number;
}

/** Keeps what fails many times for one cause from filling the log. */
export class RepeatedLines {
  private readonly repeats = new Map<string, Repeats>();

  /** @returns how often the cause has come since its last line, when it is time for another line; null when it is not. */
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
