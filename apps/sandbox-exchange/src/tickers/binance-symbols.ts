import { Amount } from '#money';
import type { Exchange } from '../exchange.js';
import { statusOf } from '../kraken/trading/order-book.js';
import { MarketList, marketsOf, type ListedMarket } from './listed-markets.js';
import { publicList, type TickerExchange } from './ticker-exchange.js';

export const binanceMarkets = new MarketList(
  marketsOf({ quotes: 'USDT USDC EUR BTC ETH', without: 'XMR KSM' }),
  ({ base, quote }) => base + quote,
);

/**
 * developers.binance.com/docs/binance-spot-api-docs/rest-api/general-endpoints (Exchange information), …/filters. With
 * `symbolStatus=TRADING` the list has only pairs that trade; the sandbox lists no others.
 */
function symbols(exchange: Exchange, market: ListedMarket): object[] {
  const { base, quote, pair } = market;
  const { info } = pair;
  if (statusOf(exchange, pair) !== 'online') return [];
  const stepSize = Amount.of(`1e-${info.lot_decimals}`).toString();
  const filters = [
    { filterType: 'PRICE_FILTER', tickSize: info.tick_size },
    { filterType: 'LOT_SIZE', minQty: info.ordermin, stepSize },
    { filterType: 'NOTIONAL', minNotional: info.costmin, applyMinToMarket: true },
  ];
  return [
    {
      ...{ symbol: binanceMarkets.symbolOf(market), status: 'TRADING', baseAsset: base, quoteAsset: quote, filters },
      ...{
        orderTypes: ['LIMIT', 'MARKET'],
        isSpotTradingAllowed: true,
        isMarginTradingAllowed: false,
        permissions: [],
      },
    },
  ];
}

const refused = (code: number, msg: string): unknown => ({ code, msg });

export const binanceSymbols: TickerExchange = publicList({
  endpoint: 'binance.symbols',
  path: '/api/v3/exchangeInfo',
  list: (exchange) => ({ symbols: binanceMarkets.all.flatMap((one) => symbols(exchange, one)) }),
  empty: () => ({ symbols: [] }),
  // The errors: developers.binance.com/docs/binance-spot-api-docs/errors.
  limited: { status: 429, body: refused(-1003, 'Too many requests.'), headers: { 'retry-after': '1' } },
  unavailable: { status: 503, body: refused(-1008, 'Server is currently overloaded.') },
  errorIn: (body) => {
    const { code } = body as { code?: number };
    return code === undefined ? null : String(code);
  },
});
