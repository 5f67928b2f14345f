import { CountByKey } from './count-by-key.js';

export interface GateLimits {
  /** Maximum number of active requests. One caller may have half of them. */
  inside: number;
  /** Maximum number of admitted requests without a response: the active ones, and those that wait for an exchange. */
  admitted: number;
  /** Maximum number of requests that wait for admission. One caller may have half of them. */
  waiting: number;
  /** Longest wait for admission. */
  waitMs: number;
}

/**
 * Duration for which no request may wait, after a request has waited without being admitted. An immediate refusal costs
 * less than a wait.
 */
const REST_MS = 1_000;

interface Waiter {
  caller: string | null;
  enter: (admission: Pass | NoPlace) => void;
  timer: NodeJS.Timeout;
}

/** Why a request is refused: its caller has reached the limit per caller, or the gate is full. */
export type NoPlace = 'caller_has_all' | 'none';

/** The admission of one request, which counts as active until `end`. */
export interface Pass {
  /** Runs `work`, which waits for something outside of this process. The request does not count as active meanwhile. */
  outside: <T>(work: () => Promise<T>) => Promise<T>;
  /** Ends the admission. Must be called when the response was sent. */
  end: () => void;
}

/** Limits the active, admitted and waiting requests, and refuses all others at once. */
export class Gate {
  private inside = 0;
  private admitted = 0;
  private readonly insideOf = new CountByKey();
  private readonly waiters = new Set<Waiter>();
  /** Monotonic time until which no request may wait (see REST_MS). */
  private noneWaitsUntil = 0;

  constructor(private readonly limits: GateLimits) {}

  /** Returns the number of active requests. The requests of one caller count as at most `mostOfOneCaller`. */
  busy(mostOfOneCaller = Infinity): number {
    let surplus = 0;
    for (const count of this.insideOf.values()) surplus += Math.max(0, count - mostOfOneCaller);
    return this.inside - surplus;
  }

  /** Whether any request would be admitted: so few are active that no caller can have reached the limit per caller. */
  get hasRoomForAll(): boolean {
    const { inside, admitted } = this.limits;
    return this.inside < inside / 2 && this.admitted < admitted;
  }

  /** Returns why a request of this caller would be refused at once; null = it would be admitted or may wait. */
  refusalOf(caller: string | null): NoPlace | null {
    if (this.hasRoom(caller)) return null;
    const { waiting } = this.limits;
    if (this.waiters.size >= waiting) return 'none';
    if (!this.hasAll(caller) && performance.now() < this.noneWaitsUntil) return 'none';
    return this.waitersOf(caller) < waiting / 2 ? null : 'caller_has_all';
  }

  /**
   * Calls `enter` with the pass, or with the reason of the refusal.
   * @param caller the caller for the limits per caller; null = these limits do not apply to the request.
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

  /** Whether the caller has as many active requests as one caller may have. Its further requests then wait. */
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
          // The request is active again at once, even above the limit, because begun requests must finish first.
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
    if (caller !== null) this.insideOf.add(caller);
  }

  private leave(caller: string | null): void {
    this.inside -= 1;
    if (caller !== null) this.insideOf.remove(caller);
    this.letIn();
  }

  /** Admits one waiting request for which there is room: one whose caller has the fewest active requests. */
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
    return caller === null ? 0 : this.insideOf.of(caller);
  }
}
