import { Clock } from '#platform/clock';
import type { Config } from '#platform/config';
import { DatabaseClock, type Database } from '#platform/database';

/**
 * A clock that a test moves. Its true time is also the database's time and the monotonic time. The wall clock of its
 * host can be set wrong.
 */
export abstract class TestClock extends Clock {
  /** How far the wall clock of this host is ahead of the true time. */
  wallErrorMs = 0;

  abstract trueNow(): Date;

  /** The database's time. `ask` reads the real database. */
  abstract databaseNow(ask: () => Promise<Date>): Promise<Date>;

  override now(): Date {
    return new Date(this.trueNow().getTime() + this.wallErrorMs);
  }

  override monotonicMs(): number {
    return this.trueNow().getTime();
  }
}

/**
 * A clock that runs by itself and can be advanced. It never goes back, even when the clock of the machine is set back.
 */
export class RunningClock extends TestClock {
  private readonly startedAt = Date.now() - performance.now();
  private movedMs = 0;

  /** @param world the clock of another host, whose true time this clock returns. Each host has its own wall clock. */
  constructor(private readonly world?: RunningClock) {
    super();
  }

  override trueNow(): Date {
    if (this.world !== undefined) return this.world.trueNow();
    return new Date(Math.floor(this.startedAt + performance.now()) + this.movedMs);
  }

  /**
   * Returns the true time at the middle of the round trip. The time that PostgreSQL returns is not used: it would be
   * off by up to half a round trip, so a test that advances to a limit could miss the limit. The query is still sent,
   * so that this call fails during an outage.
   */
  override async databaseNow(ask: () => Promise<Date>): Promise<Date> {
    const askedAt = this.trueNow().getTime();
    await ask();
    return new Date((askedAt + this.trueNow().getTime()) / 2);
  }

  advance(ms: number): void {
    if (this.world === undefined) this.movedMs += ms;
    else this.world.advance(ms);
  }
}

/** A clock that moves only when a test advances it or code sleeps on it. */
export class ManualClock extends TestClock {
  /** The true time. */
  at = Date.UTC(2026, 0, 1);

  /** Called at every sleep, so that a test can wait for it. */
  onSleep: () => void = () => undefined;

  override trueNow(): Date {
    return new Date(this.at);
  }

  override databaseNow(): Promise<Date> {
    return Promise.resolve(this.trueNow());
  }

  advance(ms: number): void {
    this.at += ms;
  }

  override async sleep(ms: number): Promise<void> {
    this.advance(ms);
    this.onSleep();
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** The database's clock in a test that moves time. */
export class TestDatabaseClock extends DatabaseClock {
  constructor(
    db: Database,
    private readonly testClock: TestClock,
    config: Config,
  ) {
    super(db, testClock, config);
  }

  protected override ask(): Promise<Date> {
    return this.testClock.databaseNow(() => super.ask());
  }
}
