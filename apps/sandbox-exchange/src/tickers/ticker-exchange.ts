import type { Exchange } from '../exchange.js';
import type { Protocol, Reply } from '../faults/protocol.js';
import { refusalReply, type RestProtocol } from '../rest/protocol.js';
import { Refusal, type Reason } from '../rest/refusal.js';

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

/** The public lists of a protocol, with the protocol's envelope and errors. */
export function publicListsOf(rest: RestProtocol): TickerExchange[] {
  const refused = (reason: Reason) => (): Reply => refusalReply(rest, new Refusal(reason));
  const refusals = { rate_limit: refused('rate_limited'), service_unavailable: refused('unavailable') };
  return Object.entries(rest.lists ?? {}).map(([name, { path, content, empty = [] }]) => ({
    endpoint: `${rest.id}.${name}`,
    paths: [path],
    respond: ({ exchange }) => ({ status: 200, body: rest.success(content(exchange)) }),
    protocol: { refusals, emptied: () => rest.success(empty), errorIn: rest.errorIn },
  }));
}
