import { Injectable } from '@nestjs/common';
import { DAY_MS } from '#platform/clock';
import { ExpiredRows, type Retention } from '#platform/lifecycle';

/** Deletes old price lists from the history. */
@Injectable()
export class ExpiredPrices extends ExpiredRows {
  protected readonly retention: Retention = {
    table: 'price_points',
    key: 'exchange, at',
    since: 'at',
    keptMs: ({ values }) => values.PRICE_HISTORY_DAYS * DAY_MS,
  };
}
