import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { Config } from '#platform/config';
import { DatabaseClock } from '#platform/database';
import { PeriodicTasks } from '#platform/lifecycle';
import { ExecutionLocks } from '../withdrawals/execution-locks.js';
import { ChallengeStore } from '../verification/challenge-store.js';

/** Erases the collected codes and the locks of executions that were never finished. */
@Injectable()
export class SweepAbandonedExecutions implements OnApplicationBootstrap {
  constructor(
    private readonly challenges: ChallengeStore,
    private readonly locks: ExecutionLocks,
    private readonly databaseClock: DatabaseClock,
    private readonly config: Config,
    private readonly periodicTasks: PeriodicTasks,
  ) {}

  onApplicationBootstrap(): void {
    const everyMs = this.config.values.CREDENTIALS_SWEEP_SECONDS * 1_000;
    this.periodicTasks.start('erasure of abandoned executions', everyMs, async () => {
      const time = await this.databaseClock.read();
      await this.challenges.eraseAbandonedCodes(time.now());
      await this.locks.eraseStale();
    });
  }
}
