import { Clock } from '#platform/clock';
import type { Config } from '#platform/config';
import { DatabaseClock, type Database } from '#platform/database';

/**
 * A clock that a test moves. It has a true time, which is also the database's and with which monotonic time passes, and
 * the wall clock of its host, which a test can set wrong.
 */
export abstract class TestClock extends Clock {
  /** How far the wall clock of this host is ahead of the true time. */
  wallErrorMs = 0;

  abstract trueNow(): Date;

  /** What the database says when `ask` asks it. */
  abstract databaseNow(ask: () => Promise<Date>): Promise<Date>;

  override now(): Date {
    return new Date(this.trueNow().getTime() + this.wallErrorMs);
  }

  override monotonicMs(): number {
    return this.trueNow().getTime();
  }
}

/** Time that runs on, and can be set ahead. */
export class RunningClock extends TestClock {
  private movedMs = 0;

  /** @param world has the true time of this host; its wall clock is its own. */
  constructor(private readonly world?: RunningClock) {
    super();
  }

  override trueNow(): Date {
    return new Date(Date.now() + this.aheadMs);
  }

  override async databaseNow(ask: () => Promise<Date>): Promise<Date> {
    return new Date((await ask()).getTime() + this.aheadMs);
  }

  advance(ms: number): void {
    if (this.world === undefined) this.movedMs += ms;
    else this.world.advance(ms);
  }

  private get aheadMs(): number {
    return this.world?.aheadMs ?? this.movedMs;
  }
}

/** Time that moves only when a test or a wait moves it. */
export class ManualClock extends TestClock {
  /** The true time. */
  at = Date.UTC(2026, 0, 1);

  /** Called at every wait, so that a test knows that somebody waits. */
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

/** The database's clock while a test moves time. */
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
