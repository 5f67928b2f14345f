import { Injectable } from '@nestjs/common';
import { Clock } from '#platform/clock';
import { Config } from '#platform/config';
import { Database, type NamedStatement } from './database.js';

/** A reading that took longer is not used, because the database's time could belong to any moment of the round trip. */
const ROUND_TRIP_MAX_MS = 2_000;
/**
 * Maximum number of readings. The first one may be slow because it waits for a new connection. The second one uses that
 * connection.
 */
const READINGS_MAX = 2;
/**
 * `requireSteadyHost` reads the database's clock again after this time. Each process reads it every 10 seconds anyway,
 * so most calls need no query.
 */
const READING_KEPT_MS = 30_000;
const PRESENT_TIME: NamedStatement = { name: 'present time', text: 'select clock_timestamp() as now' };

/** The database's time, advanced from one reading by the monotonic clock. */
export interface DatabaseTime {
  /** The reading plus the monotonic time that has passed since. The host's wall clock is not used. */
  now(): Date;

  /**
   * Must be the last check before an irrevocable action. Monotonic time stands still while a machine is suspended, so
   * `now` may return too early a time after a suspension.
   * @throws HostClockDiffers when the host's wall clock now differs from `now` by more than the limit.
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

/** Every reading of the database's clock took longer than ROUND_TRIP_MAX_MS. */
export class DatabaseTooSlow extends Error {
  constructor(roundTripMs: number) {
    super(`reading the database's clock took ${Math.round(roundTripMs)} ms; the limit is ${ROUND_TRIP_MAX_MS} ms`);
  }
}

interface Reading {
  /** The database's time. It is taken as the time at the middle of the round trip. */
  databaseMs: number;
  /** The monotonic time at the middle of the round trip. */
  monotonicMs: number;
  roundTripMs: number;
  /** The host's wall clock minus the database's time. */
  differenceMs: number;
}

/**
 * The database's clock, by which all processes decide about money. Each reading also compares the host's wall clock
 * with it. Signed requests and time-outs use the wall clock, so a host whose wall clock is wrong must not act.
 */
@Injectable()
export class DatabaseClock {
  private lastDifference: number | null = null;
  private lastReading: Reading | null = null;

  constructor(
    private readonly db: Database,
    private readonly clock: Clock,
    private readonly config: Config,
  ) {}

  /** The host's wall clock minus the database's time at the last comparison; null = there was no comparison yet. */
  get lastDifferenceMs(): number | null {
    return this.lastDifference;
  }

  /**
   * Reads the database's clock, with a second round trip when the first one took longer than ROUND_TRIP_MAX_MS.
   * @throws HostClockDiffers; DatabaseTooSlow; the errors of a query.
   */
  async read(): Promise<DatabaseTime> {
    for (let readings = 1; ; readings++) {
      const reading = await this.measure();
      this.compare(reading);
      if (reading.roundTripMs <= ROUND_TRIP_MAX_MS) {
        this.lastReading = reading;
        return this.advance(reading);
      }
      if (readings === READINGS_MAX) throw new DatabaseTooSlow(reading.roundTripMs);
    }
  }

  /**
   * For work that takes its time from the host's wall clock. Needs no query when the wall clock agrees with a reading
   * of the last READING_KEPT_MS.
   * @throws HostClockDiffers; DatabaseTooSlow; the errors of a query.
   */
  async requireSteadyHost(): Promise<void> {
    const reading = this.lastReading;
    const isRecent = reading !== null && this.clock.monotonicMs() - reading.monotonicMs < READING_KEPT_MS;
    if (!isRecent || this.driftSince(reading) !== null) await this.read();
  }

  protected async ask(): Promise<Date> {
    const [row] = await this.db.read<{ now: Date }>(PRESENT_TIME, []);
    if (row === undefined) throw new Error('the database returned no time');
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
    // A slow reading with a difference within the limit does not prove that the clocks agree.
    if (exceeds || roundTripMs <= ROUND_TRIP_MAX_MS) this.lastDifference = differenceMs;
    if (exceeds) throw new HostClockDiffers(differenceMs, this.limitMs);
  }

  /**
   * Subtracts half of the round trip from the difference, because the database may have read its clock at any moment of
   * the round trip.
   */
  private exceedsLimit(differenceMs: number, roundTripMs: number): boolean {
    return Math.abs(differenceMs) - roundTripMs / 2 > this.limitMs;
  }

  private advance(reading: Reading): DatabaseTime {
    const requireSteadyHost = (): void => {
      const driftMs = this.driftSince(reading);
      if (driftMs !== null) throw new HostClockDiffers(driftMs, this.limitMs);
    };
    return { now: () => new Date(this.presentMs(reading)), requireSteadyHost };
  }

  /** The database's present time, advanced from the reading by the monotonic clock. */
  private presentMs({ databaseMs, monotonicMs }: Reading): number {
    return databaseMs + this.clock.monotonicMs() - monotonicMs;
  }

  /** The host's wall clock now minus the advanced reading; null = within the limit. */
  private driftSince(reading: Reading): number | null {
    const differenceMs = this.clock.now().getTime() - this.presentMs(reading);
    return this.exceedsLimit(differenceMs, reading.roundTripMs) ? differenceMs : null;
  }

  private get limitMs(): number {
    return this.config.values.CLOCK_DIFFERENCE_MAX_MS;
  }
}
