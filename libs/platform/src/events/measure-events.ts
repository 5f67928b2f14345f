import { Injectable } from '@nestjs/common';
import { Clock } from '#platform/clock';
import { Database } from '#platform/database';
import { Metrics } from '#platform/metrics';

/** Exports the age of the oldest event. Only the worker exports it, because all processes share the rows. */
@Injectable()
export class MeasureEvents {
  constructor(db: Database, clock: Clock, metrics: Metrics) {
    metrics.gauge(
      { name: 'causeway_event_oldest_seconds', help: 'Age of the oldest stored event; 0 = there is none.' },
      async (gauge) => {
        const [row] = await db.query<{ oldest: Date | null }>(`select min(created_at) as oldest from events`);
        const now = clock.now().getTime();
        gauge.set(Math.max(0, now - (row?.oldest?.getTime() ?? now)) / 1_000);
      },
    );
  }
}
