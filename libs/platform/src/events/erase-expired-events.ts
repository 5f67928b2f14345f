import { Injectable } from '@nestjs/common';
import { Clock } from '#platform/clock';
import { Config } from '#platform/config';
import { Database } from '#platform/database';

const DAY_MS = 86_400_000;

/** Deletes events whose time is over, in batches, so that the table does not grow without end. */
@Injectable()
export class EraseExpiredEvents {
  constructor(
    private readonly db: Database,
    private readonly clock: Clock,
    private readonly config: Config,
  ) {}

  /** @returns how many were deleted. */
  async execute(): Promise<number> {
    const { EVENTS_KEEP_DAYS, EVENTS_SWEEP_BATCH } = this.config.values;
    const before = new Date(this.clock.now().getTime() - EVENTS_KEEP_DAYS * DAY_MS);
    return this.db.deleteInBatches(
      `delete from events where id in (select id from events where created_at < $1 limit $2) returning id`,
      [before],
      EVENTS_SWEEP_BATCH,
    );
  }
}
