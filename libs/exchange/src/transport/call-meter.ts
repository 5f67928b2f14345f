import { LRUCache } from 'lru-cache';
import type { Logger } from '#platform/logging';
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

/** How long the same message about an exchange is not logged again. */
const LOGGED_FOR_MS = 3_600_000;
/** Maximum number of messages that are remembered, and of characters of a warning that are logged. */
const MESSAGES_MAX = 1_000;
const WARNING_LENGTH_MAX = 200;

/** Measures the duration and the outcome of calls to exchanges, and logs what an operator has to know about them. */
export class CallMeter {
  private readonly seconds;
  private readonly warnings;
  private readonly logged = new LRUCache<string, true>({ max: MESSAGES_MAX, ttl: LOGGED_FOR_MS });

  constructor(
    metrics: Metrics,
    private readonly logger: Logger,
  ) {
    this.warnings = metrics.counter({
      name: 'causeway_exchange_warnings_total',
      help: 'Warnings in responses of exchanges. A warning refuses nothing; the log has its text.',
      labels: ['exchange', 'operation'],
    });
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

  /** Counts the warnings of a response, and logs each of them once an hour. */
  warned({ exchange, operation }: MeteredCall, warnings: readonly string[] = []): void {
    if (warnings.length === 0) return;
    this.warnings.inc({ exchange, operation }, warnings.length);
    for (const text of warnings) {
      const warning = text.slice(0, WARNING_LENGTH_MAX);
      if (this.isNews(`${exchange} ${operation} ${warning}`))
        this.logger.warn({ exchange, operation, warning }, 'the exchange sent a warning');
    }
  }

  private isNews(key: string): boolean {
    if (this.logged.has(key)) return false;
    this.logged.set(key, true);
    return true;
  }

  /** Logs what only an operator can change. */
  private alarm(error: unknown): void {
    if (!(error instanceof ExchangeError) || error.kind !== 'access_blocked') return;
    const { exchange, reason } = error;
    if (this.isNews(`${exchange} ${reason}`))
      this.logger.error(
        { exchange, reason },
        'the exchange refuses the calls of this installation, because of the country or the address that they come from: run it elsewhere, or route its calls through another country',
      );
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
      this.alarm(error);
      throw error;
    });
    end(outcomeOf(result));
    return result;
  }
}

/** Reasons that are outcomes of their own in the metric, instead of the kind of the error. */
const OUTCOMES: ReadonlySet<string> = new Set([
  ...['own_limit', 'banned', 'maintenance', 'location_blocked', 'address_blocked', 'firewall', 'unlisted_error'],
]);

function failureOf(error: unknown): string {
  if (error instanceof UnusableResponse) return 'invalid';
  if (!(error instanceof ExchangeError)) return 'unavailable';
  const { kind, reason = kind } = error;
  if (kind === 'credentials_invalid') return reason === 'expired' ? 'key_expired' : kind;
  return OUTCOMES.has(reason) ? reason : kind;
}
