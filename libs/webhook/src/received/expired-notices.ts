import { Injectable } from '@nestjs/common';
import { DAY_MS } from '#platform/clock';
import { ExpiredRows, type Retention } from '#platform/lifecycle';

/**
 * Deletes old notices. A repeat of a stored notice is recognized. A repeat after the deletion is refused, because the
 * signed time of a notice is accepted for some minutes only.
 */
@Injectable()
export class ExpiredNotices extends ExpiredRows {
  protected readonly retention: Retention = {
    table: 'received_webhooks',
    key: 'exchange, notice_id',
    since: 'received_at',
    keptMs: ({ values }) => values.EVENTS_KEEP_DAYS * DAY_MS,
  };
}
