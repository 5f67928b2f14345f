import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { NIL, v7 } from 'uuid';
import { Clock, DAY_MS } from '#platform/clock';
import { Config } from '#platform/config';
import { Database } from '#platform/database';
import { PeriodicTasks } from '#platform/lifecycle';

/**
 * Deletes quotes that were not executed, and the verifications of all quotes, QUOTES_KEEP_DAYS after the quote was
 * made. Quotes with a withdrawal are kept. Only the worker deletes quotes.
 */
@Injectable()
export class ExpiredQuotes implements OnApplicationBootstrap {
  /**
   * The id of the last quote that this process has checked. Ids are in the order of creation, and a sweep begins after
   * this id, so that it does not read the executed quotes again. A quote that was kept because of its tag is checked
   * again after a restart of the process.
   */
  private lastChecked: string = NIL;

  constructor(
    private readonly db: Database,
    private readonly clock: Clock,
    private readonly config: Config,
    private readonly periodicTasks: PeriodicTasks,
  ) {}

  onApplicationBootstrap(): void {
    const { RETENTION_SWEEP_MS } = this.config.constants;
    this.periodicTasks.startDueWork('deletion of quotes that were not executed', RETENTION_SWEEP_MS, () =>
      this.delete(),
    );
  }

  /** Safe to run in several processes at the same time. */
  async delete(): Promise<void> {
    const before = firstIdAt(this.clock.now().getTime() - this.config.values.QUOTES_KEEP_DAYS * DAY_MS);
    while (await this.deleteNext(before));
  }

  /** Checks the next batch of quotes with ids below `before`. @returns false when none were left */
  private async deleteNext(before: string): Promise<boolean> {
    const { RETENTION_BATCH } = this.config.constants;
    const [row] = await this.db.query<{ last: string | null }>(`select delete_unexecuted_quotes($1, $2, $3) as last`, [
      this.lastChecked,
      before,
      RETENTION_BATCH,
    ]);
    this.lastChecked = row?.last ?? this.lastChecked;
    return typeof row?.last === 'string';
  }
}

/** Returns the lowest UUIDv7 of a time. */
function firstIdAt(msecs: number): string {
  return v7({ msecs, seq: 0, random: new Uint8Array(16) });
}
