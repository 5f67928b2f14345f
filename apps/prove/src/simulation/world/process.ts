import { Clock } from '#platform/clock';
import type { Config } from '#platform/config';
import { DatabaseClock, type Database } from '#platform/database';
import type { Actor, Scheduler } from './scheduler.js';

/** Start of the virtual time of day. */
const BEGINNING = Date.UTC(2026, 0, 1);

/** Returns the time of day on a host whose clock is wrong by `offset`. */
export function timeOfDay(ms: number, offset: number): Date {
  return new Date(BEGINNING + ms + offset);
}

/** A simulated process. After its death no work in it continues, and the promises that it awaits never resolve. */
export class Process implements Actor {
  isAlive = true;
  private readonly deathListeners = new Set<() => void>();

  constructor(
    readonly name: string,
    readonly role: 'api' | 'worker' | 'operator',
    /** How far the process's clock is ahead of the true time, in milliseconds. */
    public offset: number,
  ) {}

  die(): void {
    this.isAlive = false;
    for (const listener of this.deathListeners) listener();
    this.deathListeners.clear();
  }

  /** Calls `listener` when the process dies. @returns a function that removes `listener`. */
  onDeath(listener: () => void): () => void {
    this.deathListeners.add(listener);
    return () => this.deathListeners.delete(listener);
  }
}

/** The clock of one simulated process. It also makes the ids of the process. */
export class SimulatedClock extends Clock {
  constructor(
    private readonly process: Process,
    private readonly scheduler: Scheduler,
    private readonly makeId: () => string,
    /** Returns the real duration of a requested sleep. */
    private readonly oversleep: (ms: number) => number,
  ) {
    super();
  }

  override now(): Date {
    return timeOfDay(this.scheduler.now, this.process.offset);
  }

  /** Monotonic time is the same for all processes; wrong or changed clocks do not affect it. */
  override monotonicMs(): number {
    return this.scheduler.now;
  }

  override newId(): string {
    return this.makeId();
  }

  override sleep(ms: number): Promise<void> {
    const { process, scheduler } = this;
    return new Promise((resolve) => {
      scheduler.add({
        owner: process,
        label: 'sleep',
        kind: 'sleep',
        in: Math.ceil(this.oversleep(ms)),
        run: () => {
          if (process.isAlive) resolve();
        },
      });
    });
  }
}

/** The database's clock as one process reads it: the answer may be from any moment of the round trip. */
export class SimulatedDatabaseClock extends DatabaseClock {
  constructor(
    clock: Clock,
    private readonly scheduler: Scheduler,
    config: Config,
    /** Draws the error of a reading in milliseconds, at most `timing.readingErrorMax`. */
    private readonly errorOf: () => number,
  ) {
    // The database is never used, because `ask` is overridden.
    super({} as Database, clock, config);
  }

  protected override ask(): Promise<Date> {
    return Promise.resolve(timeOfDay(this.scheduler.now, this.errorOf()));
  }
}
