import { Injectable } from '@nestjs/common';
import { Clock } from '#platform/clock';
import { Config } from '#platform/config';
import { Database } from './database.js';

/** A reading that took longer is not used: the database's time could be any moment of the round trip. */
const ROUND_TRIP_MAX_MS = 2_000;
/** The first slow reading may have waited for a new connection; the second one has it. */
const READINGS_MAX = 2;

/** The database's time, carried on from one reading. */
export interface DatabaseTime {
  /** The reading, plus the monotonic time that has passed since. The host's wall clock takes no part in it. */
  now(): Date;

  /**
   * Call it last before something irrevocable: monotonic time stands still while a machine is suspended, so that `now` is
   * too early afterwards.
   * @throws HostClockDiffers when the wall clock has moved differently since the reading.
   */
  requireSteadyHost(): void;
}

/** The host's wall clock differs from the database's by more than CLOCK_DIFFERENCE_MAX_MS. */
export class HostClockDiffers extends Error {
  constructor(
    /** Host minus database; positive = the host's clock is ahead. */
    readonly differenceMs: number,
    limitMs: number,
  ) {
    const seconds = (ms: number): string => `${(Math.abs(ms) / 1_000).toFixed(1)} s`;
    const side = differenceMs > 0 ? 'ahead of' : 'behind';
    super(`the host's clock is ${seconds(differenceMs)} ${side} the database's; the limit is ${seconds(limitMs)}`);
  }
}

/** Every reading of the database's clock took so long that its time is not known well enough. */
export class DatabaseTooSlow extends Error {
  constructor(roundTripMs: number) {
    super(`reading the database's clock took ${Math.round(roundTripMs)} ms; the limit is ${ROUND_TRIP_MAX_MS} ms`);
  }
}

interface Reading {
  /** The database's time, as of the middle of the round trip. */
  databaseMs: number;
  /** The monotonic time of that moment. */
  monotonicMs: number;
  roundTripMs: number;
  /** Host minus database. */
  differenceMs: number;
}

/**
 * The one clock by which all processes decide about money. Each reading also compares the host's wall clock with it: other
 * parts of the process (signed requests, time-outs of credentials) go by that one, so a host that is wrong must not act.
 */
@Injectable()
export class DatabaseClock {
  private lastDifference: number | null = null;

  constructor(
    private readonly db: Database,
    private readonly clock: Clock,
    private readonly config: Config,
  ) {}

  /** Host minus database when they were last compared; null = they have not been compared yet. */
  get lastDifferenceMs(): number | null {
    return this.lastDifference;
  }

  /**
   * One round trip to the database.
   * @throws HostClockDiffers; DatabaseTooSlow; whatever a query throws.
   */
  async read(): Promise<DatabaseTime> {
    for (let readings = 1; ; readings++) {
      const reading = await this.measure();
      this.compare(reading);
      if (reading.roundTripMs <= ROUND_TRIP_MAX_MS) return this.carryOn(reading);
      if (readings === READINGS_MAX) throw new DatabaseTooSlow(reading.roundTripMs);
    }
  }

  /** The database's time at this moment, as the database itself tells it. */
  protected async ask(): Promise<Date> {
    const [row] = await this.db.query<{ now: Date }>(`select clock_timestamp() as now`);
    if (row === undefined) throw new Error('the database did not tell its time');
    return row.now;
  }

  private async measure(): Promise<Reading> {
    const hostMs = this.clock.now().getTime();
    const askedAt = this.clock.monotonicMs();
    const databaseMs = (await this.ask()).getTime();
    const roundTripMs = this.clock.monotonicMs() - askedAt;
    const halfMs = roundTripMs / 2;
    const differenceMs = hostMs + halfMs - databaseMs;
    return { databaseMs, monotonicMs: askedAt + halfMs, roundTripMs, differenceMs };
  }

  private compare({ differenceMs, roundTripMs }: Reading): void {
    const exceeds = this.exceedsLimit(differenceMs, roundTripMs);
    // A slow reading that shows no difference shows no agreement either.
    if (exceeds || roundTripMs <= ROUND_TRIP_MAX_MS) this.lastDifference = differenceMs;
    if (exceeds) throw new HostClockDiffers(differenceMs, this.limitMs);
  }

  /** The database may have answered at any moment of the round trip; half of it counts in the host's favour. */
  private exceedsLimit(differenceMs: number, roundTripMs: number): boolean {
    return Math.abs(differenceMs) - roundTripMs / 2 > this.limitMs;
  }

  private carryOn({ databaseMs, monotonicMs, roundTripMs }: Reading): DatabaseTime {
    const now = (): Date => new Date(databaseMs + this.clock.monotonicMs() - monotonicMs);
    const requireSteadyHost = (): void => {
      const differenceMs = this.clock.now().getTime() - now().getTime();
      if (this.exceedsLimit(differenceMs, roundTripMs)) throw new HostClockDiffers(differenceMs, this.limitMs);
    };
    return { now, requireSteadyHost };
  }

  private get limitMs(): number {
    return this.config.values.CLOCK_DIFFERENCE_MAX_MS;
  }
}
