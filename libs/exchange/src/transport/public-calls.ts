import type { Config } from '#platform/config';
import type { Logger } from '#platform/logging';
import type { Metrics } from '#platform/metrics';
import type { BudgetOf, CallBudgets } from './call-budget.js';
import type { CallLimit } from './call-limit.js';
import { CallMeter } from './call-meter.js';
import type { ErrorMap } from './error-map.js';
import { sendRead, type ReadParts, type ReadRequest } from './send-read.js';
import type { OtherHost } from './host-choice.js';
import { Transport } from './transport.js';

const HEADERS = { accept: 'application/json', 'user-agent': 'causeway' };

type Parts = Omit<ReadParts, 'exchange'>;

/** A request for a list that needs no credentials. */
interface PublicList<T> extends Omit<ReadRequest<T>, 'request'> {
  /** The path relative to the base address, with the query. */
  readonly path: string;
}

/** An exchange whose public lists are read. */
interface CalledPublicly extends BudgetOf {
  /** The limits of calls that responses report. */
  readonly limits: readonly CallLimit[];
  readonly errors: ErrorMap;
}

/** Calls without credentials to one exchange at one address, in a queue with its own limit. */
export class PublicCalls {
  constructor(
    private readonly exchange: string,
    private readonly baseUrl: string,
    private readonly parts: Parts,
  ) {}

  /** @throws ExchangeError `unavailable` or `rate_limited`, also when `read` rejects the response. */
  get<T>({ operation, path, parse, read }: PublicList<T>): Promise<T> {
    const { exchange, parts } = this;
    const request = { method: 'GET', url: `${this.baseUrl}${path}`, headers: HEADERS };
    return sendRead({ ...parts, exchange }, { operation, request, parse, read });
  }
}

/** Calls without credentials to many exchanges, on their own connections, so that they delay no call of an account. */
export class PublicExchanges {
  private readonly transport: Transport;
  private readonly meter: CallMeter;

  constructor(
    private readonly config: Config,
    private readonly budgets: CallBudgets,
    { metrics, logger }: { metrics: Metrics; logger: Logger },
    otherHosts: readonly OtherHost[],
  ) {
    const { values, constants } = config;
    this.meter = new CallMeter(metrics, logger);
    this.transport = new Transport({
      connectTimeoutMs: values.EXCHANGE_TIMEOUT_MS,
      responseMaxBytes: constants.EXCHANGE_RESPONSE_MAX_BYTES,
      otherHosts,
    });
  }

  /** Each returned `PublicCalls` has its own limit of calls to the exchange, so callers must keep and reuse it. */
  callsTo({ limits, errors, ...of }: CalledPublicly): PublicCalls {
    const { transport, meter, config } = this;
    const queue = this.budgets.at(of).createQueue('public');
    const timeoutMs = config.values.EXCHANGE_TIMEOUT_MS;
    return new PublicCalls(of.exchange, of.baseUrl, { transport, meter, queue, limits, errors, timeoutMs });
  }

  /** The exchange's real address, or the configured replacement. */
  liveUrlOf(exchange: string, liveUrl: string): string {
    return this.config.exchangeUrls[exchange] ?? liveUrl;
  }

  close(): Promise<void> {
    return this.transport.close();
  }
}
