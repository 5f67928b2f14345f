import { Injectable } from '@nestjs/common';
import type { Counter } from 'prom-client';
import type { ExchangeErrorKind } from '#exchange';
import { Metrics } from '#platform/metrics';

/**
 * `valid`: the exchange accepts the credentials again. `overtaken`: another process has changed the wallet. `paused`:
 * the exchange was not called, because it does not respond. `clock_differs`: this host's clock differs from the
 * database's, so the refusal was not counted.
 */
export type RecheckOutcome =
  'valid' | 'refused' | 'deleted' | 'overtaken' | 'paused' | 'clock_differs' | ExchangeErrorKind;

/** Counts the flags, the checks and the deletions of wallets with refused credentials. */
@Injectable()
export class RefusalMetrics {
  private readonly rechecks: Counter<'exchange' | 'outcome'>;
  private readonly flags: Counter<'exchange'>;
  private readonly deletions: Counter<'exchange' | 'by'>;

  constructor(metrics: Metrics) {
    this.rechecks = metrics.counter({
      name: 'causeway_wallet_rechecks_total',
      help: 'Checks whether an exchange still refuses the credentials of a wallet, by outcome.',
      labels: ['exchange', 'outcome'],
    });
    this.flags = metrics.counter({
      name: 'causeway_wallets_flagged_total',
      help: 'Wallets that were flagged because the exchange began to refuse their credentials.',
      labels: ['exchange'],
    });
    this.deletions = metrics.counter({
      name: 'causeway_wallets_deleted_total',
      help: 'Wallets that were deleted because of refused credentials, by the request that the exchange refused or by a later check of the worker.',
      labels: ['exchange', 'by'],
    });
  }

  rechecked(exchange: string, outcome: RecheckOutcome): void {
    this.rechecks.inc({ exchange, outcome });
  }

  flagged(exchange: string): void {
    this.flags.inc({ exchange });
  }

  deleted(exchange: string, by: 'request' | 'recheck'): void {
    this.deletions.inc({ exchange, by });
  }
}
