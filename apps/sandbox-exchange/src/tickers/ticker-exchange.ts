import type { Exchange } from '../exchange.js';
import type { Dialect, Reply } from '../faults/dialect.js';

export interface TickerCall {
  exchange: Exchange;
  query: URLSearchParams;
  now: Date;
}

/** What one exchange answers to anybody: a list of tickers or of pairs in its own format, or what a chain knows. */
export interface TickerExchange {
  /** Its name for faults and the list of requests. */
  endpoint: string;
  paths: readonly string[];
  answer: (call: TickerCall) => Reply;
  dialect: Dialect;
}
