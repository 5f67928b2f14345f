import { Injectable } from '@nestjs/common';
import type { Counter, Histogram } from 'prom-client';
import type { ExchangeErrorKind } from '#exchange';
import { Clock } from '#platform/clock';
import { Config } from '#platform/config';
import { Database } from '#platform/database';
import { Metrics } from '#platform/metrics';
import type { WalletTarget } from '../credentials/wallet-credentials.service.js';

/** `paused`: the exchange was not called, because it does not respond. */
export type SyncOutcome = 'changed' | 'unchanged' | 'paused' | ExchangeErrorKind;

const LAG_BUCKETS_SECONDS = [1, 5, 15, 60, 300, 900, 3_600, 14_400];

/** Measures the background refreshes of wallets. */
@Injectable()
export class WalletSyncMetrics {
  private readonly syncs: Counter<'exchange' | 'outcome'>;
  private readonly lag: Histogram;

  constructor(
    metrics: Metrics,
    private readonly db: Database,
    private readonly clock: Clock,
    private readonly config: Config,
  ) {
    this.syncs = metrics.counter({
      name: 'causeway_wallet_syncs_total',
      help: 'Refreshes of wallets in the background, by outcome.',
      labels: ['exchange', 'outcome'],
    });
    this.lag = metrics.histogram(
      {
        name: 'causeway_wallet_sync_lag_seconds',
        help: 'Time by which the interval between two refreshes of a wallet exceeded WALLET_SYNC_SECONDS.',
      },
      LAG_BUCKETS_SECONDS,
    );
    metrics.gauge(
      { name: 'causeway_wallets_overdue', help: 'Wallets that are due and that no worker has taken.' },
      async (gauge) => gauge.set(await this.countOverdue()),
    );
  }

  synced({ exchange, seen }: WalletTarget, outcome: SyncOutcome): void {
    this.syncs.inc({ exchange, outcome });
    if ((outcome !== 'changed' && outcome !== 'unchanged') || seen.lastSyncAt === null) return;
    const seconds = (this.clock.now().getTime() - seen.lastSyncAt.getTime()) / 1_000;
    this.lag.observe(Math.max(0, seconds - this.config.values.WALLET_SYNC_SECONDS));
  }

  private async countOverdue(): Promise<number> {
    const [row] = await this.db.query<{ count: string }>(
      `select count(*) from wallets w where deleted_at is null and next_sync_at <= $1
          and not exists (select from stopped_projects s where s.id = w.project_id)`,
      [this.clock.now()],
    );
    return Number(row?.count);
  }
}
