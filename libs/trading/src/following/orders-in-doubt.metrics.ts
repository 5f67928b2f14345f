import { Injectable } from '@nestjs/common';
import { Clock, DAY_MS } from '#platform/clock';
import { Config } from '#platform/config';
import { Database } from '#platform/database';
import { Metrics } from '#platform/metrics';
import { IN_REVIEW, reviewSince } from '../orders/order-review.js';

/**
 * Exports the number and age of orders with unknown outcome, and of those that need an operator. Only the worker
 * exports them, because the rows are the same for all processes.
 */
@Injectable()
export class OrdersInDoubtMetrics {
  constructor(
    private readonly db: Database,
    private readonly clock: Clock,
    private readonly config: Config,
    metrics: Metrics,
  ) {
    metrics.gauge(
      {
        name: 'causeway_orders_in_review',
        help: 'Orders whose outcome is unknown and was not settled by evidence, so that an operator must settle them.',
      },
      async (gauge) => gauge.set(await this.count(IN_REVIEW('$1'), reviewSince(this.clock.now(), this.config))),
    );
    metrics.gauge(
      {
        name: 'causeway_orders_contradicted',
        help: 'Orders that were reported as refused or never placed, and that the exchange has shown within the last day.',
      },
      async (gauge) =>
        gauge.set(await this.count('contradicted_at > $1', new Date(this.clock.now().getTime() - DAY_MS))),
    );
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

  /** @param condition SQL with the parameter `$1`, which an index covers */
  private async count(condition: string, since: Date): Promise<number> {
    const [row] = await this.db.query<{ count: string }>(`select count(*) as count from orders where ${condition}`, [
      since,
    ]);
    return Number(row?.count);
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
