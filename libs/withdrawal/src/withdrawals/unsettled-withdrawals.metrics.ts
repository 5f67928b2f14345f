import { Injectable } from '@nestjs/common';
import { Clock } from '#platform/clock';
import { Database } from '#platform/database';
import { Metrics } from '#platform/metrics';
import { isSettled, withdrawalStates, type WithdrawalState } from './withdrawal-state.js';

const unsettledStates = withdrawalStates.filter((state) => !isSettled(state));

interface Unsettled {
  state: WithdrawalState;
  count: string;
  oldest: Date;
}

/**
 * Measures count and age of unsettled withdrawals, and counts the unmatched records of a restored database. Only the
 * worker measures them, because all processes share the rows.
 */
@Injectable()
export class UnsettledWithdrawalsMetrics {
  constructor(
    private readonly db: Database,
    private readonly clock: Clock,
    metrics: Metrics,
  ) {
    const labels = ['state'] as const;
    metrics.gauge(
      { name: 'causeway_withdrawals', help: 'Withdrawals that are not settled, by state.', labels },
      async (gauge) => {
        const rows = await this.unsettled();
        for (const state of unsettledStates) gauge.set({ state }, Number(rows.get(state)?.count ?? 0));
      },
    );
    metrics.gauge(
      {
        name: 'causeway_withdrawal_oldest_unresolved_seconds',
        help: 'Age of the oldest unsettled withdrawal in each state; 0 = there is none.',
        labels,
      },
      async (gauge) => {
        const rows = await this.unsettled();
        const now = this.clock.now().getTime();
        for (const state of unsettledStates) {
          const oldest = rows.get(state)?.oldest.getTime() ?? now;
          gauge.set({ state }, Math.max(0, now - oldest) / 1_000);
        }
      },
    );
    metrics.gauge(
      {
        name: 'causeway_disputed_refusals',
        help: 'Withdrawals that were reported as failed and that their exchanges show after all, until an operator decides.',
      },
      async (gauge) => {
        const [row] = await this.db.query<{ count: string }>(
          `select count(*) as count from withdrawal_attempts where outcome = 'disputed'`,
        );
        gauge.set(Number(row?.count));
      },
    );
    metrics.gauge(
      {
        name: 'causeway_unmatched_records',
        help: 'Records of exchanges that match no withdrawal of a restored database, and that no operator has settled.',
      },
      async (gauge) => {
        const [row] = await this.db.query<{ count: string }>(
          'select count(*) as count from unmatched_records where settled_at is null',
        );
        gauge.set(Number(row?.count));
      },
    );
  }

  /** Reads an index that contains only unsettled withdrawals. */
  private async unsettled(): Promise<Map<WithdrawalState, Unsettled>> {
    const rows = await this.db.query<Unsettled>(
      `select state, count(*) as count, min(created_at) as oldest from withdrawals
        where state not in ('completed', 'failed', 'canceled', 'rejected') group by state`,
    );
    return new Map(rows.map((row) => [row.state, row]));
  }
}
