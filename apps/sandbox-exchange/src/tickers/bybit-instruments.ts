import { Amount } from '#money';
import type { Exchange } from '../exchange.js';
import { statusOf } from '../trading/order-book.js';
import { MarketList, marketsOf, type ListedMarket } from './listed-markets.js';

export const bybitMarkets = new MarketList(
  marketsOf({ quotes: 'USDT USDC EUR BTC ETH', without: 'XMR DASH ZEC KSM' }),
  ({ base, quote }) => base + quote,
);

/** bybit-exchange.github.io/docs/v5/market/instrument: "Spot has `Trading` only", so a closed pair is not listed. */
function instruments(exchange: Exchange, market: ListedMarket): object[] {
  const { base, quote, pair } = market;
  const { info } = pair;
  if (statusOf(exchange, pair) !== 'online') return [];
  const sizes = { minOrderQty: info.ordermin, minOrderAmt: info.costmin };
  const basePrecision = Amount.of(`1e-${info.lot_decimals}`).toString();
  return [
    {
      symbol: bybitMarkets.symbolOf(market),
      baseCoin: base,
      quoteCoin: quote,
      innovation: '0',
      status: 'Trading',
      marginTrading: 'none',
      lotSizeFilter: { basePrecision, ...sizes },
      priceFilter: { tickSize: info.tick_size },
    },
  ];
}

const content = (list: object[]): object => ({ category: 'spot', list });

/** The list of pairs. */
export const bybitInstruments = {
  path: '/v5/market/instruments-info',
  content: (exchange: Exchange) => content(bybitMarkets.all.flatMap((one) => instruments(exchange, one))),
  empty: content([]),
};
