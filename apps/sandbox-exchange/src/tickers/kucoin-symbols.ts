import { Amount } from '#money';
import type { Exchange } from '../exchange.js';
import { statusOf } from '../trading/order-book.js';
import { MarketList, marketsOf, type ListedMarket } from './listed-markets.js';

export const kucoinMarkets = new MarketList(
  marketsOf({ quotes: 'USDT USDC EUR BTC ETH', without: 'XMR DASH ZEC' }),
  ({ base, quote }) => `${base}-${quote}`,
);

/** Docs: spot-trading/market-data/get-all-symbols. KuCoin has no status of a pair, only the flag `enableTrading`. */
function symbol(exchange: Exchange, market: ListedMarket): object {
  const { base, quote, pair } = market;
  const { info } = pair;
  const name = kucoinMarkets.symbolOf(market);
  return {
    symbol: name,
    name,
    baseCurrency: base,
    quoteCurrency: quote,
    feeCurrency: quote,
    market: quote,
    baseMinSize: info.ordermin,
    minFunds: info.costmin,
    priceIncrement: info.tick_size,
    baseIncrement: Amount.of(`1e-${info.lot_decimals}`).toString(),
    isMarginEnabled: false,
    enableTrading: statusOf(exchange, pair) === 'online',
  };
}

/** The list of pairs. */
export const kucoinSymbols = (exchange: Exchange): object[] => kucoinMarkets.all.map((one) => symbol(exchange, one));
