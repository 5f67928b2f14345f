import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { Clock } from '#platform/clock';
import { Config } from '#platform/config';
import { Database } from '#platform/database';
import { PeriodicTasks } from './periodic-tasks.js';

/** The rows of a table that are deleted, and the time of their deletion. */
export interface Retention {
  table: string;
  /** The columns of its primary key, separated by commas. */
  key: string;
  /** The column with the time at which the row's retention period begins. */
  since: string;
  /** A further condition of the rows that may be deleted. */
  where?: string;
  /** null = the rows are kept without end. */
  keptMs: (config: Config) => number | null;
}

/** Deletes the expired rows of one table, periodically and in batches. Only the worker deletes them. */
@Injectable()
export abstract class ExpiredRows implements OnApplicationBootstrap {
  protected abstract readonly retention: Retention;

  constructor(
    private readonly db: Database,
    private readonly clock: Clock,
    private readonly config: Config,
    private readonly periodicTasks: PeriodicTasks,
  ) {}

  onApplicationBootstrap(): void {
    const name = `deletion of expired rows of ${this.retention.table}`;
    this.periodicTasks.startDueWork(name, this.config.constants.RETENTION_SWEEP_MS, () => this.delete());
  }

  /** Safe to run in several processes at the same time. @returns the number of deleted rows. */
  async delete(): Promise<number> {
    const { table, key, since, where = 'true', keptMs } = this.retention;
    const kept = keptMs(this.config);
    if (kept === null) return 0;
    const before = new Date(this.clock.now().getTime() - kept);
    return this.db.deleteInBatches(
      `delete from ${table} where (${key}) in
         (select ${key} from ${table} where ${since} <= $1 and ${where} order by ${since} limit $2
          for update skip locked)
       returning 1`,
      [before],
      this.config.constants.RETENTION_BATCH,
    );
  }
}
