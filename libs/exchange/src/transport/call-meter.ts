import type { Metrics } from '#platform/metrics';
import { ExchangeError } from '../port/exchange-error.js';
import { UnusableResponse } from './failed-read.js';

/** Seconds. Calls that take longer than the last one have met a time-out. */
const BUCKETS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** Which endpoint of which exchange, by the names that are declared in code: never with an id in it. */
export interface MeteredCall {
  readonly exchange: string;
  readonly operation: string;
}

/** A call; it says `begin` when its turn has come, because waiting for a turn is no time of the exchange. */
type Call<T> = (begin: () => void) => Promise<T>;

/** How long calls to exchanges take, and how they end. */
export class CallMeter {
  private readonly seconds;

  constructor(metrics: Metrics) {
    this.seconds = metrics.histogram(
      {
        name: 'causeway_exchange_request_seconds',
        help: 'Calls to exchanges from the moment of their turn until the response was read, by endpoint and outcome.',
        labels: ['exchange', 'operation', 'outcome'],
      },
      BUCKETS,
    );
  }

  /** A call that moves nothing. */
  read<T>(metered: MeteredCall, call: Call<T>): Promise<T> {
    return this.measure(metered, call, () => 'ok');
  }

  /** A call that moves money. */
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
