import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { Config } from '#platform/config';
import { PeriodicTasks } from '#platform/lifecycle';
import { EraseExpiredEvents } from './erase-expired-events.js';

/** Deletes old events periodically, in the worker. */
@Injectable()
export class SweepExpiredEvents implements OnApplicationBootstrap {
  constructor(
    private readonly eraseExpired: EraseExpiredEvents,
    private readonly config: Config,
    private readonly periodicTasks: PeriodicTasks,
  ) {}

  onApplicationBootstrap(): void {
    const everyMs = this.config.values.EVENTS_SWEEP_SECONDS * 1_000;
    this.periodicTasks.start('erasure of expired events', everyMs, () => this.eraseExpired.execute());
  }
}
