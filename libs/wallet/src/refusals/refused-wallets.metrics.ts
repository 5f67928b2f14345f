import { Injectable } from '@nestjs/common';
import { Database } from '#platform/database';
import { Metrics } from '#platform/metrics';

/** Measures how many wallets have refused credentials. */
@Injectable()
export class RefusedWalletsMetrics {
  constructor(metrics: Metrics, db: Database) {
    metrics.gauge(
      {
        name: 'causeway_wallets_refused',
        help: 'Wallets whose credentials the exchange refuses and that the worker checks again.',
        labels: ['exchange'],
      },
      async (gauge) => {
        const rows = await db.query<{ exchange: string; count: string }>(
          `select w.exchange, count(*) from credential_refusals r join wallets w on w.id = r.wallet_id group by w.exchange`,
        );
        for (const { exchange, count } of rows) gauge.set({ exchange }, Number(count));
      },
    );
  }
}
