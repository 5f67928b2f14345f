import { Injectable } from '@nestjs/common';
import type { Counter } from 'prom-client';
import type { OrderOutcome } from '#exchange';
import { Metrics } from '#platform/metrics';

/**
 * `found`, `not_placed`: how an order in doubt was settled; `contradicted`: the exchange has an order that was
 * recorded as never placed.
 */
type Outcome = OrderOutcome['kind'] | 'found' | 'not_placed' | 'contradicted';

/** Counts the outcomes of orders in this process. */
@Injectable()
export class OrderMetrics {
  private readonly outcomes: Counter<'exchange' | 'outcome'>;

  constructor(metrics: Metrics) {
    this.outcomes = metrics.counter({
      name: 'causeway_orders_total',
      help: 'Orders by outcome, and orders in doubt by their final result (found; not_placed; contradicted: the exchange has an order that was recorded as never placed).',
      labels: ['exchange', 'outcome'],
    });
  }

  ended(exchange: string, outcome: Outcome): void {
    this.outcomes.inc({ exchange, outcome });
  }
}
