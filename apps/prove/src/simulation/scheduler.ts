import type { Random } from './random.js';

/** Something that can happen next. Every call of a port is one, and every message between service and exchange. */
export interface Step {
  /** Who waits for it; `null` = goes on whoever dies, such as what the exchange does with a request. */
  owner: Actor | null;
  label: string;
  kind: 'database' | 'exchange' | 'sleep' | 'event';
  /** Milliseconds of virtual time before which it does not happen. */
  due: number;
  run: () => void | Promise<void>;
}

/** Whoever has steps: a process of ours, or a client. */
export interface Actor {
  readonly name: string;
  isAlive: boolean;
}

/**
 * Decides what happens next. Of everything that could, the seed draws one; time passes only when nothing else can
 * happen, or when the seed lets it.
 */
export class Scheduler {
  /** Milliseconds since the beginning. */
  now = 0;
  private readonly steps: Step[] = [];

  constructor(private readonly random: Random) {}

  add(step: Omit<Step, 'due'> & { in?: number }): void {
    const { in: delay = 0, ...rest } = step;
    this.steps.push({ ...rest, due: this.now + delay });
  }

  /** Removes the next step and returns it, after the time until it has passed; null = nothing will ever happen. */
  next(): Step | null {
    let ready = this.readyNow();
    if (ready.length === 0) {
      const due = this.nextDue();
      if (due === null) return null;
      this.now = due;
      ready = this.readyNow();
    }
    const index = ready[this.random.between(0, ready.length - 1)] ?? 0;
    return this.steps.splice(index, 1)[0] ?? null;
  }

  /** Lets time pass although something could happen. */
  jump(ms: number): void {
    this.now += ms;
  }

  /** Takes away the steps of one who has died. */
  drop(owner: Actor): Step[] {
    const dropped = this.steps.filter((step) => step.owner === owner);
    for (const step of dropped) this.steps.splice(this.steps.indexOf(step), 1);
    return dropped;
  }

  private readyNow(): number[] {
    const ready: number[] = [];
    for (let index = 0; index < this.steps.length; index++) {
      if ((this.steps[index]?.due ?? Infinity) <= this.now) ready.push(index);
    }
    return ready;
  }

  private nextDue(): number | null {
    let due = Infinity;
    for (const step of this.steps) due = Math.min(due, step.due);
    return due === Infinity ? null : due;
  }
}

/** Resolves when everything that the last step has set in motion waits for another step. */
export function quiet(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
