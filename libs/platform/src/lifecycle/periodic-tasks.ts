import { setMaxListeners } from 'node:events';
import { Inject, Injectable, type BeforeApplicationShutdown } from '@nestjs/common';
import { Clock } from '#platform/clock';
import { logFailedWork } from '#platform/errors';
import { LOGGER, type Logger } from '#platform/logging';

/** Work that a process does again and again until it stops: the sweeps over rows that make jobs. */
@Injectable()
export class PeriodicTasks implements BeforeApplicationShutdown {
  private readonly stop = new AbortController();
  private readonly running: Promise<void>[] = [];

  constructor(
    private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    // Each repeated work listens while it pauses, and there may be many.
    setMaxListeners(0, this.stop.signal);
  }

  /** Runs `work` now and `everyMs` after each end. A failure changes nothing. */
  start(name: string, everyMs: number, work: () => Promise<unknown>): void {
    this.running.push(this.repeat(name, everyMs, work));
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.stop.abort();
    await Promise.all(this.running);
  }

  private async repeat(name: string, everyMs: number, work: () => Promise<unknown>): Promise<void> {
    let failures = 0;
    while (!this.stop.signal.aborted) {
      try {
        await work();
        if (failures > 0) this.logger.info({ name, failures }, 'repeated work succeeds again');
        failures = 0;
      } catch (error) {
        failures += 1;
        // A database that is away for an hour is not worth a line every second: the 1st, 2nd, 4th, 8th … in a row.
        if (Number.isInteger(Math.log2(failures)))
          logFailedWork(this.logger, error, 'repeated work failed', { name, failures });
      }
      await this.clock.sleep(everyMs, this.stop.signal);
    }
  }
}
