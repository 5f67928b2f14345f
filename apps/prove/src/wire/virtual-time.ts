const realImmediate = setImmediate;
/** Number of idle turns of the event loop after which all work is taken to wait for a timer. */
const QUIET_TURNS = 3;
/** Start of the virtual time. It could be any date at which a clock that is hours behind is also after 1970. */
const EPOCH = Date.UTC(2026, 10, 22);

/**
 * Replaces Node's timers in one thread. Time stands still while any work is left, and then jumps to the next timer.
 * Node decides the order of all other callbacks. Only a real database, outside the thread, can affect this order.
 */
export class VirtualTime {
  private nowMs = 0;
  private order = 0;
  private activity = 0;
  /** Number of statements that a real database has not finished. */
  private awaited = 0;
  private readonly timers = new Set<VirtualTimer>();

  /** Milliseconds since 1970. It never goes back, so it serves as monotonic time, too. */
  get now(): number {
    return EPOCH + this.nowMs;
  }

  /**
   * Replaces the timers for the rest of the thread's life, because the libraries keep timers from one run to the next.
   */
  install(): void {
    const set = (work: (...args: unknown[]) => void, ms = 0, ...args: unknown[]): VirtualTimer =>
      new VirtualTimer(this, () => work(...args), ms);
    const clear = (timer: VirtualTimer | undefined): void => timer?.close();
    const now = (): number => this.now;
    Object.assign(globalThis, { setTimeout: set, clearTimeout: clear });
    Object.assign(performance, { now });
  }

  /** Reports an event: time stands still until all work that follows from it is done. */
  touch(): void {
    this.activity += 1;
  }

  /** Makes time stand still until the work has settled. */
  async while<T>(work: Promise<T>): Promise<T> {
    this.awaited += 1;
    try {
      return await work;
    } finally {
      this.awaited -= 1;
      this.touch();
    }
  }

  after(ms: number, work: () => void): void {
    new VirtualTimer(this, work, ms);
  }

  /** Drops all timers and sets the time to the next multiple of `spanMs`, so that no two runs use the same time. */
  nextRun(spanMs: number): void {
    this.timers.clear();
    this.nowMs = (Math.floor(this.nowMs / spanMs) + 1) * spanMs;
  }

  /** Lets time pass until `isOver` returns true, at most `limitMs`. @returns whether `isOver` returned true. */
  async run(isOver: () => boolean, limitMs: number): Promise<boolean> {
    const end = this.nowMs + limitMs;
    for (;;) {
      await this.settle();
      if (isOver()) return true;
      const next = this.earliest();
      if (next === null || next.at > end) return false;
      this.nowMs = Math.max(this.nowMs, next.at);
      this.timers.delete(next);
      this.touch();
      next.work();
    }
  }

  arm(timer: VirtualTimer, ms: number): void {
    timer.at = this.nowMs + Math.max(1, ms);
    timer.order = ++this.order;
    this.timers.add(timer);
    this.touch();
  }

  disarm(timer: VirtualTimer): void {
    this.timers.delete(timer);
  }

  private async settle(): Promise<void> {
    for (let quiet = 0; quiet < QUIET_TURNS; quiet++) {
      const before = this.activity;
      await new Promise<void>((resolve) => void realImmediate(resolve));
      if (this.activity !== before || this.awaited > 0) quiet = -1;
    }
  }

  private earliest(): VirtualTimer | null {
    let earliest: VirtualTimer | null = null;
    for (const timer of this.timers) {
      if (earliest === null || timer.at < earliest.at || (timer.at === earliest.at && timer.order < earliest.order)) {
        earliest = timer;
      }
    }
    return earliest;
  }
}

/** The part of Node's `Timeout` that the libraries use. */
class VirtualTimer {
  at = 0;
  order = 0;

  constructor(
    private readonly time: VirtualTime,
    readonly work: () => void,
    private readonly ms: number,
  ) {
    time.arm(this, ms);
  }

  refresh(): this {
    this.time.arm(this, this.ms);
    return this;
  }

  close(): void {
    this.time.disarm(this);
  }

  ref(): this {
    return this;
  }

  unref(): this {
    return this;
  }

  hasRef(): boolean {
    return true;
  }
}
