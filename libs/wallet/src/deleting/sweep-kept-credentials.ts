import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { PeriodicTasks } from '#platform/lifecycle';
import { EraseKeptCredentials } from './erase-kept-credentials.js';

const SWEEP_MS = 60_000;

/** Runs EraseKeptCredentials periodically. The work is a few statements and calls, so it needs no job. */
@Injectable()
export class SweepKeptCredentials implements OnApplicationBootstrap {
  constructor(
    private readonly eraseKept: EraseKeptCredentials,
    private readonly periodicTasks: PeriodicTasks,
  ) {}

  onApplicationBootstrap(): void {
    this.periodicTasks.startDueWork('erasure of kept credentials', SWEEP_MS, () => this.eraseKept.execute());
  }
}
