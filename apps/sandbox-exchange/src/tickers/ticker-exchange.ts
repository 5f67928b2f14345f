import type { Exchange } from '../exchange.js';
import type { Protocol, Reply } from '../faults/protocol.js';

export interface TickerCall {
  exchange: Exchange;
  query: URLSearchParams;
  now: Date;
}

/** A public endpoint: a list of tickers or pairs in one exchange's format, or chain data. */
export interface TickerExchange {
  /** The name of the endpoint, as in `/control/faults` and `/control/requests`. */
  endpoint: string;
  paths: readonly string[];
  respond: (call: TickerCall) => Reply;
  protocol: Protocol;
}

interface PublicList {
  endpoint: string;
  path: string;
  /** The body of the response. */
  list: (exchange: Exchange) => unknown;
  /** The body of a list without entries, which a fault returns. */
  empty: () => unknown;
  limited: Reply;
  unavailable: Reply;
  errorIn: Protocol['errorIn'];
}

/** A public list without parameters. */
export function publicList({ endpoint, path, list, empty, limited, unavailable, errorIn }: PublicList): TickerExchange {
  const refusals = { rate_limit: () => limited, service_unavailable: () => unavailable };
  return {
    ...{ endpoint, paths: [path], protocol: { refusals, emptied: empty, errorIn } },
    respond: ({ exchange }) => ({ status: 200, body: list(exchange) }),
  };
}
