import { setMaxListeners } from 'node:events';
import { Inject, Injectable, type BeforeApplicationShutdown } from '@nestjs/common';
import { Clock } from '#platform/clock';
import { DatabaseClock } from '#platform/database';
import { logFailedWork } from '#platform/errors';
import { LOGGER, type Logger } from '#platform/logging';
import { Metrics } from '#platform/metrics';

/** Tasks that a process repeats until it stops, such as the sweeps that enqueue due rows. */
@Injectable()
export class PeriodicTasks implements BeforeApplicationShutdown {
  private readonly stop = new AbortController();
  private readonly running: Promise<void>[] = [];
  /** For each task, the monotonic time of the first of its failures in a row; null = its last run succeeded. */
  private readonly failingSinceMs = new Map<string, number | null>();

  constructor(
    private readonly clock: Clock,
    private readonly databaseClock: DatabaseClock,
    @Inject(LOGGER) private readonly logger: Logger,
    metrics: Metrics,
  ) {
    metrics.gauge(
      {
        name: 'causeway_periodic_task_failing_seconds',
        help: 'Seconds since the first of the failures in a row of a periodic task; 0 = its last run succeeded.',
        labels: ['task'],
      },
      (gauge) => {
        for (const [task, sinceMs] of this.failingSinceMs)
          gauge.set({ task }, sinceMs === null ? 0 : (clock.monotonicMs() - sinceMs) / 1_000);
      },
    );
    // Each task listens to the signal while it pauses. Node would warn about more than ten listeners.
    setMaxListeners(0, this.stop.signal);
  }

  /** Runs `work` now, and again `everyMs` after each end, also after a failure. */
  start(name: string, everyMs: number, work: () => Promise<unknown>): void {
    this.running.push(this.repeat(name, everyMs, work));
  }

  /**
   * Repeats work as `start` does, for work that selects due or expired rows by the host's clock. The work does not run
   * while the host's clock differs from the database's: a clock that is ahead would postpone or delete the rows of all
   * other hosts.
   */
  startDueWork(name: string, everyMs: number, work: () => Promise<unknown>): void {
    this.start(name, everyMs, async () => {
      await this.databaseClock.requireSteadyHost();
      await work();
    });
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.stop.abort();
    await Promise.all(this.running);
  }

  private async repeat(name: string, everyMs: number, work: () => Promise<unknown>): Promise<void> {
    let failures = 0;
    this.failingSinceMs.set(name, null);
    while (!this.stop.signal.aborted) {
      try {
        await work();
        if (failures > 0) this.logger.info({ name, failures }, 'a periodic task succeeds again');
        failures = 0;
        this.failingSinceMs.set(name, null);
      } catch (error) {
        failures += 1;
        if (failures === 1) this.failingSinceMs.set(name, this.clock.monotonicMs());
        // Logs only the 1st, 2nd, 4th, 8th … failure in a row, because an outage may last for an hour.
        if (Number.isInteger(Math.log2(failures)))
          logFailedWork(this.logger, error, 'a periodic task failed', { name, failures });
      }
      await this.clock.sleep(everyMs, this.stop.signal);
    }
  }
}
