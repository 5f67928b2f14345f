import { Injectable } from '@nestjs/common';
import { DAY_MS } from '#platform/clock';
import { ExpiredRows, type Retention } from '#platform/lifecycle';

@Injectable()
export class ExpiredEvents extends ExpiredRows {
  protected readonly retention: Retention = {
    table: 'events',
    key: 'id',
    since: 'created_at',
    keptMs: ({ values }) => values.EVENTS_KEEP_DAYS * DAY_MS,
  };
}

/** Deletes the counters of wallets that were deleted so long ago that none of their events is stored. */
@Injectable()
export class ExpiredEventCounters extends ExpiredRows {
  protected readonly retention: Retention = {
    table: 'wallet_event_counters',
    key: 'project_id, external_wallet_id',
    since: 'deleted_at',
    keptMs: ({ values }) => values.EVENTS_KEEP_DAYS * DAY_MS,
  };
}

@Injectable()
export class ExpiredTopicMessages extends ExpiredRows {
  protected readonly retention: Retention = {
    table: 'topic_messages',
    key: 'id',
    since: 'created_at',
    keptMs: ({ constants }) => constants.TOPIC_KEEP_SECONDS * 1_000,
  };
}
