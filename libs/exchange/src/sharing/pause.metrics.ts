import { Injectable } from '@nestjs/common';
import { Clock } from '#platform/clock';
import { Metrics } from '#platform/metrics';
import { LiveProcesses } from './live-processes.js';
import { SharedPauses } from './shared-pauses.js';
import { summaryOf } from './pause-summary.js';

const labels = ['exchange', 'reach', 'reason'] as const;

/** Exports the pauses of calls to exchanges that this process keeps. */
@Injectable()
export class PauseMetrics {
  constructor({ book }: SharedPauses, processes: LiveProcesses, clock: Clock, metrics: Metrics) {
    metrics.gauge(
      {
        name: 'causeway_exchange_callers',
        help: 'Live processes among which this process divides the limits of our address at exchanges.',
      },
      (gauge) => gauge.set(processes.count),
    );
    metrics.gauge(
      { name: 'causeway_exchange_pauses', help: 'Pauses of calls to exchanges that this process keeps.', labels },
      (gauge) => {
        for (const { pauses, exchange, reach, reason } of summaryOf(book.list(), clock)) {
          gauge.set({ exchange, reach, reason }, pauses);
        }
      },
    );
    metrics.gauge(
      {
        name: 'causeway_exchange_pause_left_seconds',
        help: 'Seconds until the last of the pauses of calls to an exchange ends. Absent = there is no pause.',
        labels,
      },
      (gauge) => {
        for (const { leftMs, exchange, reach, reason } of summaryOf(book.list(), clock)) {
          gauge.set({ exchange, reach, reason }, leftMs / 1_000);
        }
      },
    );
  }
}
