import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { DatabaseClock } from '#platform/database';
import { Repeats } from '#platform/lifecycle';
import { Metrics } from '#platform/metrics';

const COMPARE_EVERY_MS = 10_000;

/** Compares this host's clock with the database's also while the process has nothing to do. */
@Injectable()
export class WatchHostClock implements OnApplicationBootstrap {
  constructor(
    private readonly databaseClock: DatabaseClock,
    private readonly repeats: Repeats,
    metrics: Metrics,
  ) {
    metrics.gauge(
      {
        name: 'causeway_database_clock_difference_seconds',
        help: "How far this host's clock is ahead of the database's, when they were last compared.",
      },
      (gauge) => {
        const { lastDifferenceMs } = databaseClock;
        if (lastDifferenceMs === null) gauge.remove();
        else gauge.set(lastDifferenceMs / 1_000);
      },
    );
  }

  onApplicationBootstrap(): void {
    // A difference above the limit throws, and `Repeats` logs it.
    this.repeats.start("comparison of the host's clock with the database's", COMPARE_EVERY_MS, () =>
      this.databaseClock.read(),
    );
  }
}
