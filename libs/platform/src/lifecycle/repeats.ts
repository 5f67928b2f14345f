import { Inject, Injectable, type BeforeApplicationShutdown } from '@nestjs/common';
import { Clock } from '#platform/clock';
import { LOGGER, type Logger } from '#platform/logging';

/** Work that a process does again and again until it stops: the sweeps over rows that make jobs. */
@Injectable()
export class Repeats implements BeforeApplicationShutdown {
  private readonly stop = new AbortController();
  private readonly running: Promise<void>[] = [];

  constructor(
    private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Runs `work` now and `everyMs` after each end. A failure is logged and changes nothing. */
  start(name: string, everyMs: number, work: () => Promise<unknown>): void {
    this.running.push(this.repeat(name, everyMs, work));
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.stop.abort();
    await Promise.all(this.running);
  }

  private async repeat(name: string, everyMs: number, work: () => Promise<unknown>): Promise<void> {
    while (!this.stop.signal.aborted) {
      await work().catch((error: unknown) => this.logger.error({ err: error, name }, 'repeated work failed'));
      await this.clock.sleep(everyMs, this.stop.signal);
    }
  }
}
