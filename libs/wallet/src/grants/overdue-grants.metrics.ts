import { Injectable } from '@nestjs/common';
import { Clock } from '#platform/clock';
import { Database } from '#platform/database';
import { Metrics } from '#platform/metrics';

interface Facts {
  due: string;
  failing: string;
  expired_seconds: string | null;
}

/** Measures access tokens that are due for renewal or expired. */
@Injectable()
export class OverdueGrantsMetrics {
  constructor(
    metrics: Metrics,
    private readonly db: Database,
    private readonly clock: Clock,
  ) {
    metrics.gauge(
      { name: 'causeway_grants_due', help: 'Access tokens that are due for renewal and that no worker has taken.' },
      async (gauge) => gauge.set(Number((await this.read()).due)),
    );
    metrics.gauge(
      { name: 'causeway_grants_failing', help: 'Grants whose last renewal got no response from the exchange.' },
      async (gauge) => gauge.set(Number((await this.read()).failing)),
    );
    metrics.gauge(
      {
        name: 'causeway_grant_expired_seconds',
        help: 'Seconds since the longest expired access token expired; 0 = no token has expired.',
      },
      async (gauge) => gauge.set(Math.max(0, Number((await this.read()).expired_seconds ?? 0))),
    );
  }

  private async read(): Promise<Facts> {
    const [facts] = await this.db.query<Facts>(
      `select count(*) filter (where next_refresh_at <= $1) as due,
              count(*) filter (where failures > 0 and holder is null) as failing,
              extract(epoch from $1 - min(access_expires_at)) as expired_seconds
         from wallet_grants g where next_refresh_at is not null
          and not exists (select from stopped_wallets s where s.wallet_id = g.wallet_id)`,
      [this.clock.now()],
    );
    return facts ?? { due: '0', failing: '0', expired_seconds: null };
  }
}
