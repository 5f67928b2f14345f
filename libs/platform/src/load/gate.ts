export interface GateLimits {
  /** Requests that are worked on at a time; one caller has half of them at most. */
  inside: number;
  /** Requests that have been let in and are not answered yet: those inside, and those that wait for an exchange. */
  admitted: number;
  /** Requests that wait to be let in; one caller has half of them at most. */
  waiting: number;
  waitMs: number;
}

/** Requests that wait in vain cost more than those that are refused at once. */
const REST_MS = 1_000;

interface Waiter {
  caller: string | null;
  enter: (admission: Pass | NoPlace) => void;
  timer: NodeJS.Timeout;
}

/** Why a request is turned away: its caller has all that one caller may have, or there is no place for anybody. */
export type NoPlace = 'caller_has_all' | 'none';

/** What a request has that was let in. */
export interface Pass {
  /** Lets another request in while `work` waits for something that costs this process nothing. */
  outside: <T>(work: () => Promise<T>) => Promise<T>;
  /** The request has its answer. */
  end: () => void;
}

/** Lets so many requests in at a time, lets so many wait for so long, and turns away the others at once. */
export class Gate {
  private inside = 0;
  private admitted = 0;
  private readonly insideOf = new Map<string, number>();
  private readonly waiters = new Set<Waiter>();
  /** Until then none waits: one has waited in vain, so that others would as well. */
  private noneWaitsUntil = 0;

  constructor(private readonly limits: GateLimits) {}

  /** Active requests, of which those of one caller count as at most `mostOfOneCaller`. */
  busy(mostOfOneCaller = Infinity): number {
    let surplus = 0;
    for (const count of this.insideOf.values()) surplus += Math.max(0, count - mostOfOneCaller);
    return this.inside - surplus;
  }

  /** Why a request of this caller would be turned away at once; null: it would not. */
  refusalOf(caller: string | null): NoPlace | null {
    if (this.hasRoom(caller)) return null;
    const { waiting } = this.limits;
    if (this.waiters.size >= waiting) return 'none';
    if (!this.hasAll(caller) && performance.now() < this.noneWaitsUntil) return 'none';
    return this.waitersOf(caller) < waiting / 2 ? null : 'caller_has_all';
  }

  /**
   * Calls `enter` with the pass, or with the reason why there is none.
   * @param caller who shares the places with others; null: it takes no part in that.
   */
  ask(caller: string | null, enter: (admission: Pass | NoPlace) => void): void {
    if (this.hasRoom(caller)) return enter(this.admit(caller));
    const refusal = this.refusalOf(caller);
    if (refusal !== null) return enter(refusal);
    const timer = setTimeout(() => {
      this.waiters.delete(waiter);
      if (this.hasAll(caller)) return enter('caller_has_all');
      this.noneWaitsUntil = performance.now() + REST_MS;
      enter('none');
    }, this.limits.waitMs);
    const waiter: Waiter = { caller, enter, timer };
    this.waiters.add(waiter);
  }

  private hasRoom(caller: string | null): boolean {
    const { inside, admitted } = this.limits;
    return this.inside < inside && this.admitted < admitted && !this.hasAll(caller);
  }

  /** Whether the caller has all places that one caller may have: it waits for its own requests, not for those of others. */
  private hasAll(caller: string | null): boolean {
    return this.countOf(caller) >= this.limits.inside / 2;
  }

  private waitersOf(caller: string | null): number {
    let count = 0;
    for (const waiter of this.waiters) if (caller !== null && waiter.caller === caller) count += 1;
    return count;
  }

  private admit(caller: string | null): Pass {
    let isOver = false;
    let outside = 0;
    this.admitted += 1;
    this.enter(caller);
    return {
      outside: async (work) => {
        if (isOver) return work();
        outside += 1;
        if (outside === 1) this.leave(caller);
        try {
          return await work();
        } finally {
          outside -= 1;
          // It does not wait again: what it has begun is finished first.
          if (outside === 0 && !isOver) this.enter(caller);
        }
      },
      end: () => {
        if (isOver) return;
        isOver = true;
        this.admitted -= 1;
        if (outside === 0) this.leave(caller);
        else this.letIn();
      },
    };
  }

  private enter(caller: string | null): void {
    this.inside += 1;
    if (caller !== null) this.insideOf.set(caller, this.countOf(caller) + 1);
  }

  private leave(caller: string | null): void {
    this.inside -= 1;
    if (caller !== null) {
      const left = this.countOf(caller) - 1;
      if (left > 0) this.insideOf.set(caller, left);
      else this.insideOf.delete(caller);
    }
    this.letIn();
  }

  /** Of those who wait and have room, the one whose caller has least inside. */
  private letIn(): void {
    let next: Waiter | null = null;
    for (const waiter of this.waiters) {
      const isNext = next === null || this.countOf(waiter.caller) < this.countOf(next.caller);
      if (isNext && this.hasRoom(waiter.caller)) next = waiter;
    }
    if (next === null) return;
    this.waiters.delete(next);
    clearTimeout(next.timer);
    next.enter(this.admit(next.caller));
  }

  private countOf(caller: string | null): number {
    return caller === null ? 0 : (this.insideOf.get(caller) ?? 0);
  }
}
