import type { FastifyPluginCallback } from 'fastify';
import { chainApi } from '../chain/esplora.js';
import { serve } from '../faults/serve.js';
import type { SandboxServer } from '../server.js';
import { partnerMarkets } from '../partner/markets.js';
import { restProtocols } from '../rest/protocols.js';
import { bitstampPairs } from './bitstamp-markets.js';
import { bitstamp } from './bitstamp.js';
import { coinbase } from './coinbase.js';
import { geminiSymbols } from './gemini-symbols.js';
import { gemini } from './gemini.js';
import { publicListsOf, type TickerExchange } from './ticker-exchange.js';

export const tickerExchanges: readonly TickerExchange[] = [
  ...[coinbase, bitstamp, gemini, bitstampPairs, geminiSymbols, partnerMarkets],
  ...restProtocols.flatMap(publicListsOf),
  ...chainApi,
];

/** Public endpoints: lists of prices and pairs, and the chain API. Kraken's lists belong to its own protocol. */
export function tickerRoutes(server: SandboxServer): FastifyPluginCallback {
  return (app, _options, done) => {
    for (const { paths, endpoint, protocol, respond } of tickerExchanges) {
      for (const path of paths) {
        app.get(path, (request, reply) => {
          const query = new URLSearchParams(request.url.split('?')[1] ?? '');
          const admit = (now: () => Date) => () => respond({ exchange: server.exchange, query, now: now() });
          return serve(server, { protocol, endpoint, credential: undefined, admit }, reply);
        });
      }
    }
    done();
  };
}
