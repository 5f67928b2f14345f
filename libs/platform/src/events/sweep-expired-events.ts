import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { PeriodicTasks } from '#platform/lifecycle';
import { EraseExpiredEvents } from './erase-expired-events.js';

const SWEEP_MS = 60_000;

/** Deletes old events periodically, in the worker. */
@Injectable()
export class SweepExpiredEvents implements OnApplicationBootstrap {
  constructor(
    private readonly eraseExpired: EraseExpiredEvents,
    private readonly periodicTasks: PeriodicTasks,
  ) {}

  onApplicationBootstrap(): void {
    this.periodicTasks.start('erasure of expired events', SWEEP_MS, () => this.eraseExpired.execute());
  }
}
