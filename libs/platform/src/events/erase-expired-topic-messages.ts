import { Injectable } from '@nestjs/common';
import { Clock } from '#platform/clock';
import { Config } from '#platform/config';
import { Database } from '#platform/database';

/** Most messages that one statement deletes. */
const BATCH = 1_000;

/** Deletes topic messages older than TOPIC_KEEP_SECONDS, in batches. */
@Injectable()
export class EraseExpiredTopicMessages {
  constructor(
    private readonly db: Database,
    private readonly clock: Clock,
    private readonly config: Config,
  ) {}

  /** @returns the number of deleted messages. */
  async execute(): Promise<number> {
    const { TOPIC_KEEP_SECONDS } = this.config.values;
    const before = new Date(this.clock.now().getTime() - TOPIC_KEEP_SECONDS * 1_000);
    return this.db.deleteInBatches(
      `delete from topic_messages where id in (select id from topic_messages where created_at < $1 limit $2) returning id`,
      [before],
      BATCH,
    );
  }
}
