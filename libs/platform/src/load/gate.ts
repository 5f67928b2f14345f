export interface GateLimits {
  inside: number;
  waiting: number;
  waitMs: number;
}

interface Waiter {
  enter: (isAdmitted: boolean) => void;
  timer: NodeJS.Timeout;
}

/** Lets so many in at a time, lets so many wait for so long, and turns away the others at once. */
export class Gate {
  private inside = 0;
  private readonly waiters = new Set<Waiter>();

  constructor(private readonly limits: GateLimits) {}

  /** Calls `enter` with whether there was room; who was admitted calls `leave` in the end. */
  ask(enter: (isAdmitted: boolean) => void): void {
    if (this.inside < this.limits.inside) {
      this.inside += 1;
      return enter(true);
    }
    if (this.waiters.size >= this.limits.waiting) return enter(false);
    const timer = setTimeout(() => {
      this.waiters.delete(waiter);
      enter(false);
    }, this.limits.waitMs);
    const waiter: Waiter = { enter, timer };
    this.waiters.add(waiter);
  }

  leave(): void {
    const [next] = this.waiters;
    if (next === undefined) {
      this.inside -= 1;
      return;
    }
    // The place goes over to who has waited longest.
    this.waiters.delete(next);
    clearTimeout(next.timer);
    next.enter(true);
  }
}
