import { Inject, Injectable } from '@nestjs/common';
import { Notifications } from '#platform/database';
import { logFailedWork } from '#platform/errors';
import { LOGGER, type Logger } from '#platform/logging';
import { PeriodicTasks } from './periodic-tasks.js';

interface FollowedRows {
  /** Plural noun for the log, such as "tickers". */
  name: string;
  /** Channel on which the database notifies that the rows have changed. */
  channel: string;
  /** Period of the additional reads, because a connection pooler may not forward notifications. */
  everyMs: number;
  reload: () => Promise<void>;
}

/** Keeps copies of rows in the memory of this process up to date. */
@Injectable()
export class RowFollower {
  constructor(
    private readonly notifications: Notifications,
    private readonly periodicTasks: PeriodicTasks,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * Reads the rows once before it resolves, then at every notification and in every period. Must be called while the
   * process starts, so that the first request is answered from memory. The process also starts when this first read
   * fails.
   */
  async follow({ name, channel, everyMs, reload }: FollowedRows): Promise<void> {
    const reloadOrLog = (): Promise<void> =>
      reload().catch((error: unknown) => logFailedWork(this.logger, error, `the ${name} could not be read`));
    await reloadOrLog();
    const onChange = (): void => void reloadOrLog();
    this.notifications.subscribe({ channel, onMessage: onChange, onListening: onChange });
    this.periodicTasks.start(`re-reading of ${name}`, everyMs, reload);
  }
}
