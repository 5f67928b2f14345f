import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { Config } from '#platform/config';
import { PeriodicTasks } from '#platform/lifecycle';
import { EraseExpiredResponses } from './erase-expired-responses.js';

/** Periodically deletes expired responses, so that the table stays small. It needs no job. */
@Injectable()
export class SweepExpiredResponses implements OnApplicationBootstrap {
  constructor(
    private readonly eraseExpired: EraseExpiredResponses,
    private readonly config: Config,
    private readonly periodicTasks: PeriodicTasks,
  ) {}

  onApplicationBootstrap(): void {
    const everyMs = this.config.constants.IDEMPOTENCY_SWEEP_SECONDS * 1_000;
    this.periodicTasks.start('erasure of idempotent responses', everyMs, () => this.eraseExpired.execute());
  }
}
