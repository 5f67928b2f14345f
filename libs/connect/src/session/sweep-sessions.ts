import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { logFailedWork } from '#platform/errors';
import { PeriodicTasks } from '#platform/lifecycle';
import { LOGGER, type Logger } from '#platform/logging';
import { SessionLifecycle } from './session-lifecycle.js';
import { SessionStore, type ConnectSession } from './session-store.js';

/** How often a worker ends expired sessions. */
const SWEEP_MS = 60_000;
/** Maximum number of sessions that one sweep ends. */
const SWEEP_BATCH = 1_000;

/** Ends expired sessions, so that listeners are notified. */
@Injectable()
export class SweepSessions implements OnApplicationBootstrap {
  constructor(
    private readonly periodicTasks: PeriodicTasks,
    private readonly lifecycle: SessionLifecycle,
    private readonly store: SessionStore,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  onApplicationBootstrap(): void {
    this.periodicTasks.startDueWork('end of connect sessions', SWEEP_MS, () => this.execute());
  }

  async execute(): Promise<void> {
    // Two workers may list the same session. `SessionStore.move` lets only one of them end it.
    for (const session of await this.store.overdue(SWEEP_BATCH)) await this.settle(session);
  }

  /** Ends a session. A session that cannot be ended does not block the others. */
  private async settle(session: ConnectSession): Promise<void> {
    try {
      await this.lifecycle.settle(session);
    } catch (error) {
      logFailedWork(this.logger, error, 'an expired connect session could not be ended', { sessionId: session.id });
    }
  }
}
