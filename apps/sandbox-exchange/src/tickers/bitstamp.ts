import type { Exchange } from '../exchange.js';
import type { Protocol } from '../faults/protocol.js';
import { DAY_CHANGE_PERCENT, marketsOf, quotationOf, type ListedMarket } from './listed-markets.js';
import type { TickerExchange } from './ticker-exchange.js';

const ENDPOINT = 'bitstamp.ticker';

export const bitstampMarkets = marketsOf({
  quotes: 'USD EUR GBP USDT USDC BTC ETH',
  without: 'XMR ZEC BNB ATOM TIA KSM STX FIL XTZ TRX DASH ETC TON USD AUD',
});

/**
 * Source: https://www.bitstamp.net/api/#tag/Tickers/operation/GetCurrencyPairTickers. `side` is that of the last trade;
 * 0 means buy.
 */
function ticker(exchange: Exchange, { base, quote, pair }: ListedMarket, now: Date): object {
  const { last, ticker: day } = quotationOf(exchange, pair);
  return {
    timestamp: String(Math.floor(now.getTime() / 1000)),
    open: day.o,
    high: day.h[1],
    low: day.l[1],
    last: last.toString(),
    volume: day.v[1],
    vwap: day.p[1],
    bid: day.b[0],
    ask: day.a[0],
    side: '0',
    open_24: day.o,
    percent_change_24: DAY_CHANGE_PERCENT,
    pair: `${base}/${quote}`,
    market_type: 'SPOT',
  };
}

/**
 * Makes the entries of perpetual futures, which are in the same list as spot pairs; the format of their pair names is
 * not documented.
 */
function perpetuals(exchange: Exchange, now: Date): object[] {
  return bitstampMarkets
    .filter(({ base, quote }) => ['BTC', 'ETH'].includes(base) && quote === 'USD')
    .map((market) => ({ ...ticker(exchange, market, now), pair: `${market.base}/USD-PERP`, market_type: 'PERPETUAL' }));
}

const protocol: Protocol = {
  refusals: {
    // The errors: https://www.bitstamp.net/api/#section/Response-codes
    rate_limit: () => ({
      status: 400,
      body: { status: 'error', reason: 'Request rate limit exceeded.', code: '400.002' },
    }),
    service_unavailable: () => ({
      status: 503,
      body: { error: "Bitstamp.net is under scheduled maintenance. We'll be back soon." },
    }),
  },
  emptied: () => [],
  errorIn: (body) => {
    const { code, error } = body as { code?: string; error?: string };
    return code ?? error ?? null;
  },
  tickers: {
    endpoint: ENDPOINT,
    priceFields: ['open', 'high', 'low', 'last', 'vwap', 'bid', 'ask', 'open_24'],
    mapped: (body, change) => (Array.isArray(body) ? (body as object[]).map(change) : body),
  },
};

export const bitstamp: TickerExchange = {
  endpoint: ENDPOINT,
  // The path is documented with a trailing slash; without the slash, the response is the same.
  paths: ['/api/v2/ticker/', '/api/v2/ticker'],
  respond: ({ exchange, now }) => ({
    status: 200,
    body: [...bitstampMarkets.map((market) => ticker(exchange, market, now)), ...perpetuals(exchange, now)],
  }),
  protocol,
};
