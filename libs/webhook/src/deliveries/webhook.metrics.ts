import { Injectable } from '@nestjs/common';
import type { Counter } from 'prom-client';
import { Metrics } from '#platform/metrics';
import type { WebhookResult } from './webhook-sender.js';

/** `refused`: the endpoint has answered with a status outside of 200 to 299. */
type Outcome = 'delivered' | 'refused' | 'no_response';

/** Counts the attempts of this process. */
@Injectable()
export class WebhookMetrics {
  private readonly attempts: Counter<'outcome'>;

  constructor(metrics: Metrics) {
    this.attempts = metrics.counter({
      name: 'causeway_webhook_attempts_total',
      help: 'Requests to endpoints of webhooks, by outcome.',
      labels: ['outcome'],
    });
  }

  ended({ error, status }: WebhookResult): void {
    const outcome: Outcome = error === null ? 'delivered' : status === null ? 'no_response' : 'refused';
    this.attempts.inc({ outcome });
  }
}
