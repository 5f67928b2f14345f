import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { PeriodicTasks } from '#platform/lifecycle';
import { EraseExpiredTopicMessages } from './erase-expired-topic-messages.js';

const SWEEP_MS = 60_000;

/** Deletes old topic messages periodically, in the worker. */
@Injectable()
export class SweepExpiredTopicMessages implements OnApplicationBootstrap {
  constructor(
    private readonly eraseExpired: EraseExpiredTopicMessages,
    private readonly periodicTasks: PeriodicTasks,
  ) {}

  onApplicationBootstrap(): void {
    this.periodicTasks.start('erasure of expired topic messages', SWEEP_MS, () => this.eraseExpired.execute());
  }
}
