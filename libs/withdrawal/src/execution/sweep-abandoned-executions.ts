import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { DatabaseClock } from '#platform/database';
import { PeriodicTasks } from '#platform/lifecycle';
import { ExecutionLocks } from '../withdrawals/execution-locks.js';
import { ChallengeStore } from '../verification/challenge-store.js';

const SWEEP_MS = 60_000;

/** Erases the collected codes and the locks of executions that were never finished. */
@Injectable()
export class SweepAbandonedExecutions implements OnApplicationBootstrap {
  constructor(
    private readonly challenges: ChallengeStore,
    private readonly locks: ExecutionLocks,
    private readonly databaseClock: DatabaseClock,
    private readonly periodicTasks: PeriodicTasks,
  ) {}

  onApplicationBootstrap(): void {
    // `start` suffices, because `databaseClock.read` also fails while the host's clock differs from the database's. For
    // other work that deletes rows by a clock, `startDueWork` makes this check.
    this.periodicTasks.start('erasure of abandoned executions', SWEEP_MS, async () => {
      const time = await this.databaseClock.read();
      await this.challenges.eraseAbandonedCodes(time.now());
      await this.locks.eraseStale();
    });
  }
}
