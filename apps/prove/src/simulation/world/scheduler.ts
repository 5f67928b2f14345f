import type { Random } from './random.js';

/**
 * A step that can happen next. Every call of a port is a step, and so is every message between service and exchange.
 */
export interface Step {
  /**
   * The process or client that waits for the step; `null` = the step happens in any case, such as an action of the
   * exchange.
   */
  owner: Actor | null;
  label: string;
  kind: 'database' | 'exchange' | 'sleep' | 'event';
  /** The earliest time of the step, in milliseconds of virtual time. */
  due: number;
  run: () => void | Promise<void>;
}

/** The owner of steps: a process or a client. */
export interface Actor {
  readonly name: string;
  isAlive: boolean;
}

/**
 * Decides which step happens next. The seed draws one of the steps that are due. Time passes only when no step is due,
 * or when the seed lets it pass.
 */
export class Scheduler {
  /** Virtual milliseconds since the start of the run. */
  now = 0;
  private readonly steps: Step[] = [];

  constructor(private readonly random: Random) {}

  add({ owner, label, kind, in: delay = 0, run }: Omit<Step, 'due'> & { in?: number }): void {
    this.steps.push({ owner, label, kind, due: this.now + delay, run });
  }

  /** Removes the next step and returns it after advancing the time to it; null = there are no more steps. */
  next(): Step | null {
    let ready = this.countReady();
    if (ready === 0) {
      const due = this.nextDue();
      if (due === null) return null;
      this.now = due;
      ready = this.countReady();
    }
    return this.take(this.random.between(0, ready - 1));
  }

  /** Lets time pass although a step may be due. */
  jump(ms: number): void {
    this.now += ms;
  }

  /** Removes the steps of an owner that has died. */
  drop(owner: Actor): Step[] {
    const dropped = this.steps.filter((step) => step.owner === owner);
    for (const step of dropped) this.steps.splice(this.steps.indexOf(step), 1);
    return dropped;
  }

  private countReady(): number {
    let ready = 0;
    for (const { due } of this.steps) if (due <= this.now) ready += 1;
    return ready;
  }

  /** Removes and returns one of the steps that are due. @param place index among the due steps. */
  private take(place: number): Step | null {
    let left = place;
    for (let index = 0; index < this.steps.length; index++) {
      if ((this.steps[index]?.due ?? Infinity) > this.now) continue;
      if (left === 0) return this.steps.splice(index, 1)[0] ?? null;
      left -= 1;
    }
    return null;
  }

  private nextDue(): number | null {
    let due = Infinity;
    for (const step of this.steps) due = Math.min(due, step.due);
    return due === Infinity ? null : due;
  }
}

/**
 * Number of callbacks that `quiet` queues at once. Each call of `quiet` uses one of them. Between any two of them, Node
 * runs all promise callbacks that are ready.
 */
const TURNS = 64;
let turnsLeft = 0;
let onTurn: (() => void) | null = null;

/**
 * Resolves when the last step, and all work that it has started, have ended or wait for the scheduler to run another
 * step. Only one run at a time may wait. Queues TURNS callbacks at once: Node runs them all in one round of its event
 * loop, and TURNS rounds would cost more CPU time than most steps.
 */
export function quiet(): Promise<void> {
  return new Promise((resolve) => {
    onTurn = resolve;
    if (turnsLeft > 0) return;
    turnsLeft = TURNS;
    for (let turn = 0; turn < TURNS; turn++) setImmediate(takeTurn);
  });
}

function takeTurn(): void {
  turnsLeft -= 1;
  const resolve = onTurn;
  onTurn = null;
  resolve?.();
}
