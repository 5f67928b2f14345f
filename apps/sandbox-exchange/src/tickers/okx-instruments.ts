import { Amount } from '#money';
import type { Exchange } from '../exchange.js';
import { statusOf } from '../kraken/trading/order-book.js';
import { MarketList, marketsOf, type ListedMarket } from './listed-markets.js';
import { publicList, type TickerExchange } from './ticker-exchange.js';

export const okxMarkets = new MarketList(
  marketsOf({ quotes: 'USD USDT USDC EUR BTC ETH', without: 'XMR DASH ZEC KSM' }),
  ({ base, quote }) => `${base}-${quote}`,
);

/**
 * Source: https://www.okx.com/docs-v5/en/#public-data-rest-api-get-instruments. `state` is one word for the whole pair,
 * so a pair that accepts only some orders shows as suspended. There is no minimum cost.
 */
function instrument(exchange: Exchange, market: ListedMarket): object {
  const { base, quote, pair } = market;
  return {
    ...{ instType: 'SPOT', instId: okxMarkets.symbolOf(market), baseCcy: base, quoteCcy: quote, lever: '' },
    ...{ tickSz: pair.info.tick_size, lotSz: Amount.of(`1e-${pair.info.lot_decimals}`).toString() },
    ...{ minSz: pair.info.ordermin, state: statusOf(exchange, pair) === 'online' ? 'live' : 'suspend' },
  };
}

const bodyOf = (code: string, data: object[]) => ({ code, msg: '', data });

export const okxInstruments: TickerExchange = publicList({
  endpoint: 'okx.instruments',
  path: '/api/v5/public/instruments',
  list: (exchange) =>
    bodyOf(
      '0',
      okxMarkets.all.map((one) => instrument(exchange, one)),
    ),
  empty: () => bodyOf('0', []),
  // The errors: https://www.okx.com/docs-v5/en/#error-code-rest-api
  ...{ limited: { status: 429, body: bodyOf('50011', []) }, unavailable: { status: 503, body: bodyOf('50001', []) } },
  errorIn: (body) => {
    const { code } = body as { code: string };
    return code === '0' ? null : code;
  },
});
