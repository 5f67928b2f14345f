import type { Clock } from '#platform/clock';
import type { Logger } from '#platform/logging';
import type { Metrics } from '#platform/metrics';
import type {
  HttpResponse,
  HttpRequest,
  SendOnceOptions,
  SendOptions,
  Sender,
  Transport,
} from '../transport/transport.js';

/** Least interval between two comparisons with one exchange, because clocks drift slowly. */
const COMPARE_EVERY_MS = 10_000;
/** The `Date` header has whole seconds, rounded down. */
const DATE_PRECISION_MS = 1_000;

interface Comparison {
  /**
   * Our time minus the exchange's time, as near to zero as the response allows. The true difference can be further from
   * zero, by up to the duration of the call plus one second.
   */
  differenceMs: number;
  comparedAtMs: number;
}

/**
 * Measures the difference between our clock and those of the exchanges by the `Date` header of their responses (RFC
 * 9110, 6.6.1). Signed times, order deadlines and the search for submissions depend on both clocks.
 */
export class ExchangeClocks {
  private readonly comparisons = new Map<string, Comparison>();

  constructor(
    private readonly clock: Clock,
    metrics: Metrics,
    private readonly logger: Logger,
    private readonly limitMs: number,
  ) {
    metrics.gauge(
      {
        name: 'causeway_exchange_clock_difference_seconds',
        help: 'Lower bound of the time by which our clock is ahead of the exchange’s, from the last compared response.',
        labels: ['exchange'],
      },
      (gauge) => {
        for (const [exchange, { differenceMs }] of this.comparisons) gauge.set({ exchange }, differenceMs / 1_000);
      },
    );
  }

  /** Wraps the transport of one exchange, to compare the `Date` header of each response with our clock. */
  over(transport: Transport, exchange: string): Sender {
    const compared = async (answered: Promise<HttpResponse>): Promise<HttpResponse> => {
      const response = await answered;
      this.compare(exchange, response);
      return response;
    };
    return {
      send: (request: HttpRequest, options: SendOptions) => compared(transport.send(request, options)),
      sendOnce: (address: string, sign: () => Promise<HttpRequest>, options: SendOnceOptions) =>
        compared(transport.sendOnce(address, sign, options)),
    };
  }

  private compare(exchange: string, { dated }: HttpResponse): void {
    if (dated === undefined) return;
    const now = this.clock.now().getTime();
    const before = this.comparisons.get(exchange);
    if (before !== undefined && Math.abs(now - before.comparedAtMs) < COMPARE_EVERY_MS) return;
    const theirs = Date.parse(dated.date);
    if (Number.isNaN(theirs)) return;
    // The exchange set the date at some moment during the call, within the second that the header states.
    const least = now - dated.tookMs - theirs - DATE_PRECISION_MS;
    const most = now - theirs;
    const differenceMs = least > 0 ? least : Math.min(most, 0);
    this.comparisons.set(exchange, { differenceMs, comparedAtMs: now });
    this.warn(exchange, before?.differenceMs ?? 0, differenceMs);
  }

  /** Logs once when the limit is exceeded, and again only after the difference was within the limit. */
  private warn(exchange: string, beforeMs: number, differenceMs: number): void {
    if (Math.abs(differenceMs) <= this.limitMs || Math.abs(beforeMs) > this.limitMs) return;
    this.logger.warn(
      { exchange, differenceMs },
      "the clock of this host differs from the exchange's by more than CLOCK_DIFFERENCE_MAX_MS",
    );
  }
}
