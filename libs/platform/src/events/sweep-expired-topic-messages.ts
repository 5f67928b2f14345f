import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { Config } from '#platform/config';
import { PeriodicTasks } from '#platform/lifecycle';
import { EraseExpiredTopicMessages } from './erase-expired-topic-messages.js';

/** Deletes old topic messages periodically, in the worker. */
@Injectable()
export class SweepExpiredTopicMessages implements OnApplicationBootstrap {
  constructor(
    private readonly eraseExpired: EraseExpiredTopicMessages,
    private readonly config: Config,
    private readonly periodicTasks: PeriodicTasks,
  ) {}

  onApplicationBootstrap(): void {
    const everyMs = this.config.values.CONNECT_SWEEP_SECONDS * 1_000;
    this.periodicTasks.start('erasure of expired topic messages', everyMs, () => this.eraseExpired.execute());
  }
}
