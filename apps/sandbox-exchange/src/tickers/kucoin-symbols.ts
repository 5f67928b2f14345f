import { Amount } from '#money';
import type { Exchange } from '../exchange.js';
import { statusOf } from '../kraken/trading/order-book.js';
import { currencies } from '../kucoin/currencies.js';
import { MarketList, marketsOf, type ListedMarket } from './listed-markets.js';
import { publicList, type TickerExchange } from './ticker-exchange.js';

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
    ...{ symbol: name, name, baseCurrency: base, quoteCurrency: quote, feeCurrency: quote, market: quote },
    ...{ baseMinSize: info.ordermin, minFunds: info.costmin, priceIncrement: info.tick_size },
    ...{ baseIncrement: Amount.of(`1e-${info.lot_decimals}`).toString(), isMarginEnabled: false },
    enableTrading: statusOf(exchange, pair) === 'online',
  };
}

const bodyOf = (code: string, data: unknown): unknown => ({ code, data });

const list = (endpoint: string, path: string, entries: (exchange: Exchange) => unknown[]): TickerExchange =>
  publicList({
    ...{ endpoint, path, list: (exchange) => bodyOf('200000', entries(exchange)), empty: () => bodyOf('200000', []) },
    limited: { status: 429, body: bodyOf('429000', null) },
    unavailable: { status: 503, body: bodyOf('500000', null) },
    errorIn: (body) => {
      const { code } = body as { code: string };
      return code === '200000' ? null : code;
    },
  });

/** The public lists of www.kucoin.com/docs-new/rest/spot-trading/market-data. */
export const kucoinLists: readonly TickerExchange[] = [
  list('kucoin.symbols', '/api/v2/symbols', (exchange) => kucoinMarkets.all.map((one) => symbol(exchange, one))),
  list('kucoin.currencies', '/api/v3/currencies', currencies),
];
