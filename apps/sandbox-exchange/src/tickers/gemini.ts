import type { Exchange } from '../exchange.js';
import type { Protocol, Reply } from '../faults/protocol.js';
import { marketsOf, quotationOf, type ListedMarket } from './listed-markets.js';
import type { TickerExchange } from './ticker-exchange.js';

const ENDPOINT = 'gemini.pricefeed';
const DAY_CHANGE_FRACTION = '0.0152';

export const geminiMarkets = marketsOf({
  quotes: 'USD EUR GBP BTC ETH USDT',
  without: 'XMR TRX BNB KSM ADA XLM TIA SEI HBAR STX DASH ETC TON USD AUD EUR GBP PYUSD',
});

/** Error format: https://docs.gemini.com/rest-api/#error-payload */
const failure = (status: number, reason: string, message: string): Reply => ({
  status,
  body: { result: 'error', reason, message },
});

/** Source: https://docs.gemini.com/rest-api/#price-feed. A pair name has no separator. */
function price(pair: string, last: string): object {
  return { pair, price: last, percentChange24h: DAY_CHANGE_FRACTION };
}

function prices(exchange: Exchange): object[] {
  const lastOf = ({ pair }: ListedMarket): string => quotationOf(exchange, pair).last.toString();
  const inDollars = geminiMarkets.filter(({ base, quote }) => ['BTC', 'ETH'].includes(base) && quote === 'USD');
  return [
    ...geminiMarkets.map((market) => price(`${market.base}${market.quote}`, lastOf(market))),
    // Pairs with GUSD, Gemini's own dollar, also end in USD: a client must not take BTCGUSD for a price in US dollars.
    // The last rows are perpetual futures.
    price('GUSDUSD', '1'),
    price('USDTGUSD', '1'),
    ...inDollars.map((market) => price(`${market.base}GUSD`, lastOf(market))),
    ...inDollars.map((market) => price(`${market.base}GUSDPERP`, lastOf(market))),
  ];
}

const protocol: Protocol = {
  refusals: {
    // The errors: https://developer.gemini.com/rate-limit
    rate_limit: () => failure(429, 'RateLimit', 'Requests were made too frequently.'),
    service_unavailable: () => failure(503, 'Maintenance', 'The Gemini Exchange is currently undergoing maintenance.'),
  },
  emptied: () => [],
  errorIn: (body) => (body as { reason?: string }).reason ?? null,
  tickers: {
    endpoint: ENDPOINT,
    priceFields: ['price'],
    mapped: (body, change) => (Array.isArray(body) ? (body as object[]).map(change) : body),
  },
};

export const gemini: TickerExchange = {
  endpoint: ENDPOINT,
  paths: ['/v1/pricefeed'],
  respond: ({ exchange }) => ({ status: 200, body: prices(exchange) }),
  protocol,
};
