import { Injectable } from '@nestjs/common';
import { DAY_MS } from '#platform/clock';
import { ExpiredRows, type Retention } from '#platform/lifecycle';

/** Deletes old notices. Within this time, a repeat of a notice is recognized; its own time stamp is refused after minutes. */
@Injectable()
export class ExpiredNotices extends ExpiredRows {
  protected readonly retention: Retention = {
    table: 'received_webhooks',
    key: 'exchange, notice_id',
    since: 'received_at',
    keptMs: ({ values }) => values.EVENTS_KEEP_DAYS * DAY_MS,
  };
}
