import { Injectable } from '@nestjs/common';
import { ExpiredRows, type Retention } from '#platform/lifecycle';

@Injectable()
export class ExpiredTopicMessages extends ExpiredRows {
  protected readonly retention: Retention = {
    table: 'topic_messages',
    key: 'id',
    since: 'created_at',
    keptMs: ({ values }) => values.TOPIC_KEEP_SECONDS * 1_000,
  };
}
