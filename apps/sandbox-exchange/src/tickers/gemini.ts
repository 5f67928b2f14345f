import type { Exchange } from '../exchange.js';
import type { Dialect, Reply } from '../faults/dialect.js';
import { marketsOf, quotationOf, type ListedMarket } from './listed-markets.js';
import type { TickerExchange } from './ticker-exchange.js';

const ENDPOINT = 'gemini.pricefeed';
const CHANGE_AS_PART_OF_ONE = '0.0152';

export const geminiMarkets = marketsOf({
  quotes: 'USD EUR GBP BTC ETH USDT',
  without: 'XMR TRX BNB KSM ADA XLM TIA SEI HBAR STX DASH ETC TON USD AUD EUR GBP PYUSD',
});

/** Errors: https://docs.gemini.com/rest-api/#error-payload */
const failure = (status: number, reason: string, message: string): Reply => ({
  status,
  body: { result: 'error', reason, message },
});

/** https://docs.gemini.com/rest-api/#price-feed: nothing between the codes of a pair. */
function price(pair: string, last: string): object {
  return { pair, price: last, percentChange24h: CHANGE_AS_PART_OF_ONE };
}

function prices(exchange: Exchange): object[] {
  const lastOf = ({ pair }: ListedMarket): string => quotationOf(exchange, pair).last.toString();
  const inDollars = geminiMarkets.filter(({ base, quote }) => ['BTC', 'ETH'].includes(base) && quote === 'USD');
  return [
    ...geminiMarkets.map((market) => price(`${market.base}${market.quote}`, lastOf(market))),
    // Gemini's own dollar: what is paid in it ends in USD, too. The last are perpetual futures.
    price('GUSDUSD', '1'),
    price('USDTGUSD', '1'),
    ...inDollars.map((market) => price(`${market.base}GUSD`, lastOf(market))),
    ...inDollars.map((market) => price(`${market.base}GUSDPERP`, lastOf(market))),
  ];
}

const dialect: Dialect = {
  refusals: {
    // https://developer.gemini.com/rate-limit
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
  answer: ({ exchange }) => ({ status: 200, body: prices(exchange) }),
  dialect,
};
