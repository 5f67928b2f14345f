import type { Clock } from '#platform/clock';
import type { Config } from '#platform/config';
import type { Metrics } from '#platform/metrics';
import { CallBudget } from './call-budget.js';
import { CallMeter } from './call-meter.js';
import type { CallQueue } from './call-queue.js';
import { parseBody, type ErrorMap } from './error-map.js';
import { readResponse, errorFromResponse, errorWithoutResponse } from './failed-read.js';
import { Transport, type HttpResponse } from './transport.js';

const HEADERS = { accept: 'application/json', 'user-agent': 'causeway' };

/** A failed request for a public list is recognised by its status or by an unreadable body, not by error codes. */
const NO_CODES: ErrorMap = { errorsIn: () => [], refusesWith: () => false, meanings: {} };

interface Parts {
  readonly transport: Transport;
  readonly queue: CallQueue;
  readonly meter: CallMeter;
  readonly timeoutMs: number;
}

/** A request for a list that needs no credentials. */
interface PublicList<T> {
  /** The name of the call in metrics. */
  readonly operation: string;
  /** Relative to the base address, with the query. */
  readonly path: string;
  /** Parses the body; undefined = it is not JSON. */
  readonly parse?: (body: string) => unknown;
  /** @throws when the response is not such a list. */
  readonly read: (response: unknown) => T;
}

/** Calls without credentials to one exchange at one address, in a queue with its own limit. */
export class PublicCalls {
  constructor(
    private readonly exchange: string,
    private readonly baseUrl: string,
    private readonly parts: Parts,
  ) {}

  /** @throws ExchangeError `unavailable` or `rate_limited`, also when `read` rejects the response. */
  get<T>({ operation, path, parse = parseBody, read }: PublicList<T>): Promise<T> {
    const { exchange } = this;
    const { queue, transport, timeoutMs, meter } = this.parts;
    const request = { method: 'GET', url: `${this.baseUrl}${path}`, headers: HEADERS };
    return meter.read({ exchange, operation }, async (begin) => {
      const queued = (): Promise<HttpResponse> => {
        begin();
        return transport.send(request, { timeoutMs });
      };
      const response = await queue.run(queued, { endpoint: operation }).catch((error: unknown) => {
        throw errorWithoutResponse(exchange, error);
      });
      queue.heed(response, operation);
      if (response.status !== 200) throw errorFromResponse(exchange, NO_CODES, response, { kind: 'unavailable' });
      return readResponse(exchange, path, parse(response.body), read);
    });
  }
}

/** Calls without credentials to many exchanges. They have their own connections, so that they do not delay accounts. */
export class PublicExchanges {
  private readonly transport: Transport;
  private readonly meter: CallMeter;

  constructor(
    private readonly config: Config,
    private readonly clock: Clock,
    metrics: Metrics,
  ) {
    const { values, constants } = config;
    this.meter = new CallMeter(metrics);
    this.transport = new Transport({
      connectTimeoutMs: values.EXCHANGE_TIMEOUT_MS,
      responseMaxBytes: constants.EXCHANGE_RESPONSE_MAX_BYTES,
    });
  }

  /** Each result has a limit of its own, so callers keep it. */
  callsTo(exchange: string, baseUrl: string): PublicCalls {
    const { transport, meter, config } = this;
    const queue = new CallBudget(this.clock, config).createQueue();
    const timeoutMs = config.values.EXCHANGE_TIMEOUT_MS;
    return new PublicCalls(exchange, baseUrl, { transport, meter, queue, timeoutMs });
  }

  /** The exchange's real address, or the configured replacement. */
  liveUrlOf(exchange: string, liveUrl: string): string {
    return this.config.exchangeUrls[exchange] ?? liveUrl;
  }

  close(): Promise<void> {
    return this.transport.close();
  }
}
