/** The requests of one key since its window began. */
interface Window {
  count: number;
  /** Monotonic time in milliseconds. */
  beganAt: number;
}

/** The state of a key. */
export interface Rate {
  /** Number of requests in the window, also those beyond the limit. */
  count: number;
  isAdmitted: boolean;
  /** Time until the window ends. */
  msLeft: number;
}

/**
 * Limits how often something happens for each key. The window of a key begins with its first request and has a fixed
 * length. The memory of a key whose window has ended is freed when the next window of any key begins. `count` returns
 * no promise, because awaiting one would take CPU time in every request.
 */
export class RateLimit {
  /** The windows in the order in which they began, so that the ended ones come first. */
  private readonly windows = new Map<string, Window>();

  constructor(
    readonly limit: number,
    private readonly windowMs: number,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** Counts one request of the key. */
  count(key: string): Rate {
    const now = this.now();
    let window = this.windows.get(key);
    if (window === undefined || this.hasEnded(window, now)) {
      this.forgetEnded(now);
      window = { count: 0, beganAt: now };
      this.windows.set(key, window);
    }
    window.count += 1;
    return this.rateOf(window, now);
  }

  /** Returns the state of the key without counting; null when it has no window. */
  find(key: string): Rate | null {
    const now = this.now();
    const window = this.windows.get(key);
    return window === undefined || this.hasEnded(window, now) ? null : this.rateOf(window, now);
  }

  /** The number of keys that use memory. */
  get size(): number {
    return this.windows.size;
  }

  private rateOf({ count, beganAt }: Window, now: number): Rate {
    return { count, isAdmitted: count <= this.limit, msLeft: this.windowMs - (now - beganAt) };
  }

  private hasEnded({ beganAt }: Window, now: number): boolean {
    return now - beganAt >= this.windowMs;
  }

  private forgetEnded(now: number): void {
    for (const [key, window] of this.windows) {
      if (!this.hasEnded(window, now)) return;
      this.windows.delete(key);
    }
  }
}
