import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { Config } from '#platform/config';
import { PeriodicTasks } from '#platform/lifecycle';
import { EraseKeptCredentials } from './erase-kept-credentials.js';

/** Runs EraseKeptCredentials periodically. It is one transaction and needs no job. */
@Injectable()
export class SweepKeptCredentials implements OnApplicationBootstrap {
  constructor(
    private readonly eraseKept: EraseKeptCredentials,
    private readonly config: Config,
    private readonly periodicTasks: PeriodicTasks,
  ) {}

  onApplicationBootstrap(): void {
    const everyMs = this.config.values.CREDENTIALS_SWEEP_SECONDS * 1_000;
    this.periodicTasks.start('erasure of kept credentials', everyMs, () => this.eraseKept.execute());
  }
}
