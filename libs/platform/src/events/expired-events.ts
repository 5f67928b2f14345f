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
