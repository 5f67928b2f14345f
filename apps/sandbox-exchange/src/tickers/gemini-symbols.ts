import { Amount } from '#money';
import type { Exchange } from '../exchange.js';
import { statusOf } from '../trading/order-book.js';
import type { PairStatus } from '../ledger/records.js';
import { gemini, geminiMarkets } from './gemini.js';
import type { ListedMarket } from './listed-markets.js';
import type { TickerExchange } from './ticker-exchange.js';

const statuses: Readonly<Record<PairStatus, string>> = {
  online: 'open',
  limit_only: 'limit_only',
  post_only: 'post_only',
  cancel_only: 'cancel_only',
  reduce_only: 'closed',
  maintenance: 'closed',
};

/**
 * Source: https://docs.gemini.com/rest/market-data (Get Symbol Details). `tick_size` is the step of the volume,
 * `quote_increment` the step of the price. Both are JSON numbers, so the smallest ones have an exponent.
 */
function details(exchange: Exchange, { base, quote, pair }: ListedMarket): object {
  const { info } = pair;
  return {
    symbol: `${base}${quote}`,
    base_currency: base,
    quote_currency: quote,
    tick_size: Amount.of(`1e-${info.lot_decimals}`).toJsonNumber(),
    quote_increment: Amount.of(info.tick_size).toJsonNumber(),
    min_order_size: info.ordermin,
    status: statuses[statusOf(exchange, pair)],
    wrap_enabled: false,
    product_type: 'spot',
    contract_type: 'vanilla',
    contract_price_currency: quote,
  };
}

function perpetual(exchange: Exchange, listed: ListedMarket): object {
  return {
    ...details(exchange, listed),
    symbol: `${listed.base}GUSDPERP`,
    quote_currency: 'GUSD',
    contract_price_currency: 'GUSD',
    product_type: 'swap',
    contract_type: 'linear',
  };
}

/** The call is documented for one symbol; clients use `all` to get all symbols. */
export const geminiSymbols: TickerExchange = {
  endpoint: 'gemini.symbols',
  paths: ['/v1/symbols/details/all'],
  respond: ({ exchange }) => ({
    status: 200,
    body: [
      ...geminiMarkets.map((listed) => details(exchange, listed)),
      ...geminiMarkets
        .filter(({ base, quote }) => ['BTC', 'ETH'].includes(base) && quote === 'USD')
        .map((listed) => perpetual(exchange, listed)),
    ],
  }),
  protocol: gemini.protocol,
};
