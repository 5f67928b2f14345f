import { Injectable } from '@nestjs/common';
import { EventOutbox } from '#platform/events';
import { Metrics } from '#platform/metrics';
import { DeliveryStore } from './delivery-store.js';

/** Exports how far the deliveries are behind. Only the worker exports it, because all processes share the rows. */
@Injectable()
export class WebhooksDueMetrics {
  constructor(metrics: Metrics, outbox: EventOutbox, store: DeliveryStore) {
    metrics.gauge(
      {
        name: 'causeway_webhook_dispatch_lag_seconds',
        help: 'Age of the oldest event whose deliveries are not written; 0 = there is none.',
      },
      async (gauge) => gauge.set((await outbox.backlogMs()) / 1_000),
    );
    metrics.gauge(
      {
        name: 'causeway_webhook_oldest_due_seconds',
        help: 'How long the oldest delivery to an enabled endpoint has been due; 0 = no delivery is due.',
      },
      async (gauge) => gauge.set((await store.oldestDueMs()) / 1_000),
    );
  }
}
