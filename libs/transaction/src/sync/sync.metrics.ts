import { Injectable } from '@nestjs/common';
import type { Counter } from 'prom-client';
import type { HistoryKind } from '#exchange';
import { Clock } from '#platform/clock';
import { Metrics } from '#platform/metrics';
import { SyncStore } from './sync-store.js';

/** A history that has been due for longer than this is overdue. */
const OVERDUE_MS = 60_000;

/** What a page has brought. */
interface PageFigures {
  created: number;
  skipped: number;
  /** Whether the exchange may have more records of the page than it lists. */
  isUnlisted: boolean;
}

/** Counts readings of histories, new records and skipped records, and exports the number of overdue histories. */
@Injectable()
export class SyncMetrics {
  private readonly syncs: Counter<'exchange' | 'outcome'>;
  private readonly records: Counter<'kind'>;
  private readonly skipped: Counter<'exchange'>;
  private readonly unlisted: Counter<'exchange'>;

  constructor(metrics: Metrics, store: SyncStore, clock: Clock) {
    this.syncs = metrics.counter({
      name: 'causeway_transaction_syncs_total',
      help: 'Ended readings of histories, by exchange and outcome; "more" = further pages are left.',
      labels: ['exchange', 'outcome'],
    });
    this.records = metrics.counter({
      name: 'causeway_transaction_records_total',
      help: 'New records of exchanges, by kind: deposit or withdrawal.',
      labels: ['kind'],
    });
    this.skipped = metrics.counter({
      name: 'causeway_transaction_records_skipped_total',
      help: 'Records of exchanges that could not be understood. A record counts each time it is read.',
      labels: ['exchange'],
    });
    this.unlisted = metrics.counter({
      name: 'causeway_transaction_records_unlisted_total',
      help: 'Pages that may lack records: the exchange has more records of one moment than it lists.',
      labels: ['exchange'],
    });
    metrics.gauge(
      {
        name: 'causeway_transaction_first_readings',
        help: 'Histories whose first reading has not ended, by exchange. Each wallet has two: deposits and withdrawals.',
        labels: ['exchange'],
      },
      async (gauge) => {
        gauge.reset();
        for (const { exchange, count } of await store.countFirstReadings()) gauge.set({ exchange }, count);
      },
    );
    metrics.gauge(
      { name: 'causeway_transaction_syncs_overdue', help: 'Histories that have been due for more than a minute.' },
      async (gauge) => gauge.set(await store.countOverdue(new Date(clock.now().getTime() - OVERDUE_MS))),
    );
  }

  ended(exchange: string, outcome: string): void {
    this.syncs.inc({ exchange, outcome });
  }

  read(exchange: string, kind: HistoryKind, { created, skipped, isUnlisted }: PageFigures): void {
    this.records.inc({ kind }, created);
    this.skipped.inc({ exchange }, skipped);
    if (isUnlisted) this.unlisted.inc({ exchange });
  }
}
