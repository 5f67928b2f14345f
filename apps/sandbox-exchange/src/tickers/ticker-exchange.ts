import type { Exchange } from '../exchange.js';
import type { Protocol, Reply } from '../faults/protocol.js';

export interface TickerCall {
  exchange: Exchange;
  query: URLSearchParams;
  now: Date;
}

/** A public endpoint: a list of tickers or pairs in one exchange's format, or chain data. */
export interface TickerExchange {
  /** The name for faults and for the list of requests. */
  endpoint: string;
  paths: readonly string[];
  respond: (call: TickerCall) => Reply;
  protocol: Protocol;
}
