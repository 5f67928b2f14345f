import { Injectable } from '@nestjs/common';
import type { Counter } from 'prom-client';
import { Metrics } from '#platform/metrics';
import type { Renewal } from './renewal.js';

/** Counts the renewals of access tokens. */
@Injectable()
export class GrantMetrics {
  private readonly refreshes: Counter<'exchange' | 'outcome'>;

  constructor(metrics: Metrics) {
    this.refreshes = metrics.counter({
      name: 'causeway_grant_refreshes_total',
      help: 'Renewals of access tokens, by outcome.',
      labels: ['exchange', 'outcome'],
    });
  }

  refreshed(exchange: string, outcome: Renewal): void {
    this.refreshes.inc({ exchange, outcome });
  }
}
