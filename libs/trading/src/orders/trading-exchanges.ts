import type { ExchangeSession, TradingCapability } from '#exchange';
import type { Config } from '#platform/config';
import { TradingExchangeNotSupported } from './order.errors.js';

/** @throws TradingExchangeNotSupported when the operator does not allow orders there */
export function requireTrading(config: Config, exchange: string): void {
  if (!config.values.TRADING_EXCHANGES.includes(exchange)) throw new TradingExchangeNotSupported(exchange);
}

/** @throws TradingExchangeNotSupported when the connector has no trading */
export function tradingOf({ exchange, trading }: ExchangeSession): TradingCapability {
  if (trading === undefined) throw new TradingExchangeNotSupported(exchange);
  return trading;
}
