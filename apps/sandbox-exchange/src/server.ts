import type { Exchange } from './exchange.js';
import type { FaultBook } from './faults/fault-book.js';
import type { RequestLog } from './request-log.js';

/** What every way into the exchange shares. */
export interface SandboxServer {
  exchange: Exchange;
  faults: FaultBook;
  requests: RequestLog;
  now: () => Date;
}
