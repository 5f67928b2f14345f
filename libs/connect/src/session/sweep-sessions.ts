import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { Clock, DAY_MS } from '#platform/clock';
import { Config } from '#platform/config';
import { Database } from '#platform/database';
import { logFailedWork } from '#platform/errors';
import { PeriodicTasks } from '#platform/lifecycle';
import { LOGGER, type Logger } from '#platform/logging';
import { SessionLifecycle } from './session-lifecycle.js';
import { SessionStore, type ConnectSession } from './session-store.js';

/** How often a worker ends expired sessions and deletes old ones. */
const SWEEP_MS = 60_000;
/** Most sessions that one statement reads or deletes. */
const SWEEP_BATCH = 1_000;

/** Ends expired sessions, so that listeners are notified, and deletes old ones. */
@Injectable()
export class SweepSessions implements OnApplicationBootstrap {
  constructor(
    private readonly db: Database,
    private readonly clock: Clock,
    private readonly config: Config,
    private readonly periodicTasks: PeriodicTasks,
    private readonly lifecycle: SessionLifecycle,
    private readonly store: SessionStore,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  onApplicationBootstrap(): void {
    this.periodicTasks.start('end and deletion of connect sessions', SWEEP_MS, () => this.execute());
  }

  async execute(): Promise<void> {
    // One transaction for each session, so that two workers end each session once.
    for (const session of await this.store.overdue(SWEEP_BATCH)) await this.settle(session);
    const before = new Date(this.clock.now().getTime() - this.config.values.CONNECT_KEEP_DAYS * DAY_MS);
    let deleted = SWEEP_BATCH;
    while (deleted === SWEEP_BATCH) {
      const rows = await this.db.query(
        `delete from connect_sessions where id in (select id from connect_sessions where created_at < $1 limit $2) returning id`,
        [before, SWEEP_BATCH],
      );
      deleted = rows.length;
    }
  }

  /** A session that cannot be ended does not block the others. */
  private async settle(session: ConnectSession): Promise<void> {
    try {
      await this.lifecycle.settle(session);
    } catch (error) {
      logFailedWork(this.logger, error, 'a connect session was not ended', { sessionId: session.id });
    }
  }
}
