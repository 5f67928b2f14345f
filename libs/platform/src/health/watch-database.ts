import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { Clock } from '#platform/clock';
import { Database, DatabaseClock, HostClockDiffers } from '#platform/database';
import { PeriodicTasks } from '#platform/lifecycle';
import { Metrics } from '#platform/metrics';

const COMPARE_EVERY_MS = 10_000;

/**
 * Exports whether the database responds and accepts writes. Also compares this host's clock with the database's
 * periodically, while the process is idle, too.
 */
@Injectable()
export class WatchDatabase implements OnApplicationBootstrap {
  private answeredAtMs: number;

  constructor(
    private readonly databaseClock: DatabaseClock,
    private readonly periodicTasks: PeriodicTasks,
    private readonly clock: Clock,
    database: Database,
    metrics: Metrics,
  ) {
    this.answeredAtMs = clock.monotonicMs();
    metrics.gauge(
      {
        name: 'causeway_database_silence_seconds',
        help: 'Seconds since the database last answered the query that this process sends every 10 seconds.',
      },
      (gauge) => gauge.set((clock.monotonicMs() - this.answeredAtMs) / 1_000),
    );
    metrics.gauge(
      {
        name: 'causeway_database_writable',
        help: '1 = the database accepts writes; 0 = it is read-only.',
      },
      async (gauge) => gauge.set((await database.acceptsWrites()) ? 1 : 0),
    );
    metrics.gauge(
      {
        name: 'causeway_database_clock_difference_seconds',
        help: "How far this host's clock was ahead of the database's at their last comparison.",
      },
      (gauge) => {
        const { lastDifferenceMs } = databaseClock;
        if (lastDifferenceMs === null) gauge.remove();
        else gauge.set(lastDifferenceMs / 1_000);
      },
    );
  }

  onApplicationBootstrap(): void {
    // A difference above the limit throws, and `PeriodicTasks` logs it.
    this.periodicTasks.start("comparison of the host's clock with the database's", COMPARE_EVERY_MS, () =>
      this.compare(),
    );
  }

  private async compare(): Promise<void> {
    try {
      await this.databaseClock.read();
    } catch (error) {
      if (!(error instanceof HostClockDiffers)) throw error;
      this.answeredAtMs = this.clock.monotonicMs();
      throw error;
    }
    this.answeredAtMs = this.clock.monotonicMs();
  }
}
