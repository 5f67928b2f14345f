import { Injectable } from '@nestjs/common';
import { Clock } from '#platform/clock';
import { Database } from '#platform/database';
import { Metrics } from '#platform/metrics';

/**
 * Exports the number and age of orders with unknown outcome. Only the worker exports them, because the rows are the
 * same for all processes.
 */
@Injectable()
export class OrdersInDoubtMetrics {
  constructor(
    private readonly db: Database,
    private readonly clock: Clock,
    metrics: Metrics,
  ) {
    metrics.gauge(
      { name: 'causeway_orders_in_doubt', help: 'Orders that may or may not exist at their exchange.' },
      async (gauge) => gauge.set(Number((await this.inDoubt())?.count ?? 0)),
    );
    metrics.gauge(
      {
        name: 'causeway_order_oldest_in_doubt_seconds',
        help: 'Age of the oldest order that may or may not exist at its exchange; 0 = there is none.',
      },
      async (gauge) => {
        const now = this.clock.now().getTime();
        const oldest = (await this.inDoubt())?.oldest?.getTime() ?? now;
        gauge.set(Math.max(0, now - oldest) / 1_000);
      },
    );
  }

  /**
   * Leaves out orders that the worker no longer checks. The query uses an index that contains only the orders that it
   * counts.
   */
  private async inDoubt(): Promise<{ count: string; oldest: Date | null } | undefined> {
    const [row] = await this.db.query<{ count: string; oldest: Date | null }>(
      `select count(*) as count, min(created_at) as oldest from orders
        where state in ('placing', 'unknown') and next_check_at is not null`,
    );
    return row;
  }
}
