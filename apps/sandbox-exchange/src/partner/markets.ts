import { Amount } from '#money';
import type { Exchange } from '../exchange.js';
import { statusOf } from '../trading/order-book.js';
import type { PairStatus } from '../ledger/records.js';
import { marketsOf, type ListedMarket } from '../tickers/listed-markets.js';
import type { TickerExchange } from '../tickers/ticker-exchange.js';
import { partnerProtocol } from './fault-protocol.js';

const markets = marketsOf({ quotes: 'USD EUR GBP CAD AUD CHF JPY USDT USDC BTC ETH', without: '' });

const orderTypes: Readonly<Record<PairStatus, readonly string[]>> = {
  online: ['market', 'limit'],
  limit_only: ['limit'],
  post_only: [],
  cancel_only: [],
  reduce_only: [],
  maintenance: [],
};

/** Fees are those of the lowest tier, in percent. */
function market(exchange: Exchange, { base, quote, pair }: ListedMarket): object {
  const { info } = pair;
  const status = statusOf(exchange, pair);
  return {
    symbol: `${base}-${quote}`,
    base,
    quote,
    tickSize: info.tick_size,
    stepSize: Amount.of(`1e-${info.lot_decimals}`),
    minQuantity: info.ordermin,
    minNotional: info.costmin,
    status,
    orderTypes: orderTypes[status],
    makerFee: String(info.fees_maker[0]?.[1] ?? 0),
    takerFee: String(info.fees[0]?.[1] ?? 0),
  };
}

/** The only call of the partner API without a token. */
export const partnerMarkets: TickerExchange = {
  endpoint: 'partner.markets',
  paths: ['/partner/v1/markets'],
  respond: ({ exchange }) => ({ status: 200, body: { markets: markets.map((listed) => market(exchange, listed)) } }),
  protocol: partnerProtocol,
};
