import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { Config } from '#platform/config';
import { PeriodicTasks } from '#platform/lifecycle';
import { JobQueue } from '#platform/queue';
import { SessionStore } from '../session/session-store.js';
import { PollQrLoginJob } from './qr-login.jobs.js';

/** Maximum number of QR logins in the queue after a sweep. */
const SWEEP_BATCH = 500;

/**
 * Enqueues a job for each QR login that is due for a poll, the longest overdue first. It runs in every worker. An
 * enqueued login is not due for QUEUE_LEASE_MS, so that no other worker enqueues it. After this time it is due again,
 * in case its job was lost.
 */
@Injectable()
export class SweepQrLogins implements OnApplicationBootstrap {
  constructor(
    private readonly store: SessionStore,
    private readonly jobs: JobQueue,
    private readonly config: Config,
    private readonly periodicTasks: PeriodicTasks,
  ) {}

  onApplicationBootstrap(): void {
    this.periodicTasks.startDueWork('sweep of QR logins', this.config.constants.QR_SWEEP_MS, () => this.execute());
  }

  async execute(): Promise<void> {
    await this.jobs.enqueueDue(PollQrLoginJob, SWEEP_BATCH, async (room) => {
      const { ids, until } = await this.store.takeDuePolls(room, this.config.constants.QUEUE_LEASE_MS);
      const taken = until.toISOString();
      return ids.map((sessionId) => ({ id: sessionId, payload: { sessionId, taken } }));
    });
  }
}
