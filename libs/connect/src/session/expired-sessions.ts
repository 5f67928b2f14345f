import { Injectable } from '@nestjs/common';
import { DAY_MS } from '#platform/clock';
import { ExpiredRows, type Retention } from '#platform/lifecycle';

/** Deletes connect sessions CONNECT_KEEP_DAYS after they were created. */
@Injectable()
export class ExpiredSessions extends ExpiredRows {
  protected readonly retention: Retention = {
    table: 'connect_sessions',
    key: 'id',
    since: 'created_at',
    keptMs: ({ constants }) => constants.CONNECT_KEEP_DAYS * DAY_MS,
  };
}
