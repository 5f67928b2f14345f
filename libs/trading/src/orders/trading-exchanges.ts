import { tradingExchangeIds, type ExchangeSession, type TradingCapability } from '#exchange';
import type { Config } from '#platform/config';
import { TradingExchangeNotSupported } from './order.errors.js';

/** The value of TRADING_EXCHANGES that allows every exchange whose connector can place orders. */
const ALL = 'all';

/** @throws TradingExchangeNotSupported when TRADING_EXCHANGES does not allow orders at the exchange */
export function requireTrading(config: Config, exchange: string): void {
  const allowed = config.values.TRADING_EXCHANGES.flatMap((id) => (id === ALL ? tradingExchangeIds : [id]));
  if (!allowed.includes(exchange)) throw new TradingExchangeNotSupported(exchange);
}

/** @throws TradingExchangeNotSupported when the connector has no trading */
export function tradingOf({ exchange, trading }: ExchangeSession): TradingCapability {
  if (trading === undefined) throw new TradingExchangeNotSupported(exchange);
  return trading;
}
