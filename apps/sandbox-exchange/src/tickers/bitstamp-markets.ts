import type { Exchange } from '../exchange.js';
import { statusOf } from '../trading/order-book.js';
import type { PairStatus } from '../ledger/records.js';
import { bitstamp, bitstampMarkets } from './bitstamp.js';
import type { ListedMarket } from './listed-markets.js';
import type { TickerExchange } from './ticker-exchange.js';

const word = (isOpen: boolean) => (isOpen ? 'Enabled' : 'Disabled');

/**
 * Returns whether the field `trading` is "Enabled". Bitstamp has one more flag, `instant_and_market_orders`, and none
 * for post-only, so the sandbox lists a post-only market with `trading` "Disabled".
 */
const isTraded = (status: PairStatus) => status === 'online' || status === 'limit_only';

/**
 * Source: https://www.bitstamp.net/api/#tag/Market-info/operation/GetMarkets. The tick size is given only as a number
 * of digits, and there is no minimum volume in the base asset.
 */
function market(exchange: Exchange, { base, quote, pair }: ListedMarket): object {
  const { info } = pair;
  const status = statusOf(exchange, pair);
  return {
    name: `${base}/${quote}`,
    market_symbol: `${base}${quote}`.toLowerCase(),
    base_currency: base,
    base_decimals: info.lot_decimals,
    counter_currency: quote,
    counter_decimals: info.pair_decimals,
    minimum_order_value: info.costmin,
    trading: word(isTraded(status)),
    instant_order_counter_decimals: info.pair_decimals,
    instant_and_market_orders: word(status === 'online'),
    description: `${base} / ${quote}`,
    market_type: 'SPOT',
  };
}

/** Makes the entry of a perpetual future. Bitstamp lists perpetual futures among the spot pairs. */
function perpetual(exchange: Exchange, listed: ListedMarket): object {
  const { base } = listed;
  return {
    ...market(exchange, listed),
    name: `${base}/USD-PERP`,
    market_symbol: `${base}usd-perp`.toLowerCase(),
    market_type: 'PERPETUAL',
    underlying_asset: base,
    payoff_type: 'Linear',
    contract_size: '1',
  };
}

export const bitstampPairs: TickerExchange = {
  endpoint: 'bitstamp.markets',
  paths: ['/api/v2/markets/'],
  respond: ({ exchange }) => ({
    status: 200,
    body: [
      ...bitstampMarkets.map((listed) => market(exchange, listed)),
      ...bitstampMarkets
        .filter(({ base, quote }) => ['BTC', 'ETH'].includes(base) && quote === 'USD')
        .map((listed) => perpetual(exchange, listed)),
    ],
  }),
  protocol: bitstamp.protocol,
};
