import { Amount } from '#money';
import type { Exchange } from '../exchange.js';
import { statusOf } from '../trading/order-book.js';
import { MarketList, marketsOf, type ListedMarket } from './listed-markets.js';

export const okxMarkets = new MarketList(
  marketsOf({ quotes: 'USD USDT USDC EUR BTC ETH', without: 'XMR DASH ZEC KSM' }),
  ({ base, quote }) => `${base}-${quote}`,
);

/**
 * Source: https://www.okx.com/docs-v5/en/#public-data-rest-api-get-instruments. A pair that accepts only some kinds of
 * orders is shown as suspended, because `state` has one value for the whole pair. The list has no field for a minimum
 * cost.
 */
function instrument(exchange: Exchange, market: ListedMarket): object {
  const { base, quote, pair } = market;
  return {
    instType: 'SPOT',
    instId: okxMarkets.symbolOf(market),
    baseCcy: base,
    quoteCcy: quote,
    lever: '',
    tickSz: pair.info.tick_size,
    lotSz: Amount.of(`1e-${pair.info.lot_decimals}`).toString(),
    minSz: pair.info.ordermin,
    state: statusOf(exchange, pair) === 'online' ? 'live' : 'suspend',
  };
}

/** The list of pairs. */
export const okxInstruments = (exchange: Exchange): object[] => okxMarkets.all.map((one) => instrument(exchange, one));
