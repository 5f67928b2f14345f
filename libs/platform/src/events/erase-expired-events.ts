import { Injectable } from '@nestjs/common';
import { Clock, DAY_MS } from '#platform/clock';
import { Config } from '#platform/config';
import { Database } from '#platform/database';

/** Most events that one statement deletes. */
const BATCH = 5_000;

/** Deletes events older than EVENTS_KEEP_DAYS, in batches. */
@Injectable()
export class EraseExpiredEvents {
  constructor(
    private readonly db: Database,
    private readonly clock: Clock,
    private readonly config: Config,
  ) {}

  /** @returns the number of deleted events. */
  async execute(): Promise<number> {
    const { EVENTS_KEEP_DAYS } = this.config.values;
    const before = new Date(this.clock.now().getTime() - EVENTS_KEEP_DAYS * DAY_MS);
    return this.db.deleteInBatches(
      `delete from events where id in (select id from events where created_at < $1 limit $2) returning id`,
      [before],
      BATCH,
    );
  }
}
