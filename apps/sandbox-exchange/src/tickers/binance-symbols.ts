import { Amount } from '#money';
import type { Exchange } from '../exchange.js';
import { statusOf } from '../trading/order-book.js';
import { MarketList, marketsOf, type ListedMarket } from './listed-markets.js';

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
      symbol: binanceMarkets.symbolOf(market),
      status: 'TRADING',
      baseAsset: base,
      quoteAsset: quote,
      filters,
      orderTypes: ['LIMIT', 'MARKET'],
      isSpotTradingAllowed: true,
      isMarginTradingAllowed: false,
      permissions: [],
    },
  ];
}

/** The list of pairs. */
export const binanceSymbols = {
  path: '/api/v3/exchangeInfo',
  content: (exchange: Exchange) => ({ symbols: binanceMarkets.all.flatMap((one) => symbols(exchange, one)) }),
  empty: { symbols: [] },
};
