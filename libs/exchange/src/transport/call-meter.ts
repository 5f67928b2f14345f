import type { Metrics } from '#platform/metrics';
import { ExchangeError } from '../port/exchange-error.js';
import { UnusableResponse } from './failed-read.js';

/** The upper bounds of the histogram in seconds. Slower calls have reached a time-out. */
const BUCKETS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** The labels of a measured call. `operation` is a name that is declared in code, and never contains an id. */
export interface MeteredCall {
  readonly exchange: string;
  readonly operation: string;
}

/** The call to measure. It runs `begin` when it leaves the queue, so that the time in the queue is not measured. */
type Call<T> = (begin: () => void) => Promise<T>;

/** Measures the duration and the outcome of calls to exchanges. */
export class CallMeter {
  private readonly seconds;

  constructor(metrics: Metrics) {
    this.seconds = metrics.histogram(
      {
        name: 'causeway_exchange_request_seconds',
        help: 'Duration of calls to exchanges from leaving our queue until the response was read, by endpoint and outcome.',
        labels: ['exchange', 'operation', 'outcome'],
      },
      BUCKETS,
    );
  }

  /** Measures a call that moves no money. */
  read<T>(metered: MeteredCall, call: Call<T>): Promise<T> {
    return this.measure(metered, call, () => 'ok');
  }

  /** Measures a call that moves money. */
  submit<T extends { kind: string }>(metered: MeteredCall, call: Call<T>): Promise<T> {
    return this.measure(metered, call, ({ kind }) => (kind === 'accepted' ? 'ok' : kind));
  }

  private async measure<T>(metered: MeteredCall, call: Call<T>, outcomeOf: (result: T) => string): Promise<T> {
    const { exchange, operation } = metered;
    let began = performance.now();
    const end = (outcome: string): void =>
      this.seconds.observe({ exchange, operation, outcome }, (performance.now() - began) / 1_000);
    const begin = (): void => {
      began = performance.now();
    };
    const result = await call(begin).catch((error: unknown) => {
      end(failureOf(error));
      throw error;
    });
    end(outcomeOf(result));
    return result;
  }
}

function failureOf(error: unknown): string {
  if (error instanceof UnusableResponse) return 'invalid';
  if (!(error instanceof ExchangeError)) return 'unavailable';
  return error.reason === 'own_limit' ? 'own_limit' : error.kind;
}
