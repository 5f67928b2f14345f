import { Injectable } from '@nestjs/common';
import { Clock } from '#platform/clock';
import { Config } from '#platform/config';
import { Database } from '#platform/database';

/** Deletes messages of topics whose time is over, in batches: whoever comes later has no use for them. */
@Injectable()
export class EraseExpiredTopicMessages {
  constructor(
    private readonly db: Database,
    private readonly clock: Clock,
    private readonly config: Config,
  ) {}

  /** @returns how many were deleted. */
  async execute(): Promise<number> {
    const { TOPIC_KEEP_SECONDS, CONNECT_SWEEP_BATCH } = this.config.values;
    const before = new Date(this.clock.now().getTime() - TOPIC_KEEP_SECONDS * 1_000);
    return this.db.deleteInBatches(
      `delete from topic_messages where id in (select id from topic_messages where created_at < $1 limit $2) returning id`,
      [before],
      CONNECT_SWEEP_BATCH,
    );
  }
}
