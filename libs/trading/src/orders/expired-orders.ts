import { Injectable } from '@nestjs/common';
import { DAY_MS } from '#platform/clock';
import { ExpiredRows, type Retention } from '#platform/lifecycle';

/**
 * Deletes orders ORDERS_KEEP_DAYS after their end. The trigger `keep_order` refuses the deletion of all other orders;
 * the condition leaves them out, because one refusal would stop the deletion of the whole batch.
 */
@Injectable()
export class ExpiredOrders extends ExpiredRows {
  protected readonly retention: Retention = {
    table: 'orders',
    key: 'id',
    since: 'updated_at',
    where: `state in ('closed', 'refused', 'not_placed') and next_check_at is null`,
    keptMs: ({ values: { ORDERS_KEEP_DAYS } }) => (ORDERS_KEEP_DAYS === 0 ? null : ORDERS_KEEP_DAYS * DAY_MS),
  };
}
