import type { Exchange } from './exchange.js';
import type { FaultBook } from './faults/fault-book.js';
import type { RequestLog } from './request-log.js';

/** State that all APIs of the exchange share. */
export interface SandboxServer {
  exchange: Exchange;
  faults: FaultBook;
  requests: RequestLog;
  now: () => Date;
}
