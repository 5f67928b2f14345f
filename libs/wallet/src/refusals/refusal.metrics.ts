import { Injectable } from '@nestjs/common';
import type { Counter } from 'prom-client';
import type { ExchangeErrorKind } from '#exchange';
import { Metrics } from '#platform/metrics';

/**
 * `valid`: the exchange accepts the credentials again. `overtaken`: something else has changed the wallet meanwhile.
 * `paused`: the exchange was not asked, because it answers nobody. `clock_differs`: this host's clock differs from the
 * database's, so the refusal was not counted.
 */
export type RecheckOutcome =
  'valid' | 'refused' | 'deleted' | 'overtaken' | 'paused' | 'clock_differs' | ExchangeErrorKind;

/** What becomes of wallets with refused credentials. */
@Injectable()
export class RefusalMetrics {
  private readonly rechecks: Counter<'exchange' | 'outcome'>;
  private readonly marks: Counter<'exchange'>;
  private readonly deletions: Counter<'exchange' | 'by'>;

  constructor(metrics: Metrics) {
    this.rechecks = metrics.counter({
      name: 'causeway_wallet_rechecks_total',
      help: 'Checks whether an exchange still refuses the credentials of a wallet, by outcome.',
      labels: ['exchange', 'outcome'],
    });
    this.marks = metrics.counter({
      name: 'causeway_wallets_marked_total',
      help: 'Wallets that were marked because the exchange began to refuse their credentials.',
      labels: ['exchange'],
    });
    this.deletions = metrics.counter({
      name: 'causeway_wallets_deleted_total',
      help: 'Wallets that were deleted because of refused credentials, by the request or by a check of the worker.',
      labels: ['exchange', 'by'],
    });
  }

  rechecked(exchange: string, outcome: RecheckOutcome): void {
    this.rechecks.inc({ exchange, outcome });
  }

  marked(exchange: string): void {
    this.marks.inc({ exchange });
  }

  deleted(exchange: string, by: 'request' | 'recheck'): void {
    this.deletions.inc({ exchange, by });
  }
}
