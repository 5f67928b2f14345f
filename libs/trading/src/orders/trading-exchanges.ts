import { Injectable } from '@nestjs/common';
import { defaultTradingExchangeIds, tradingExchangeIds, type ExchangeSession, type TradingCapability } from '#exchange';
import { Config, requireKnown } from '#platform/config';
import { TradingExchangeNotSupported } from './order.errors.js';

/** The value of TRADING_EXCHANGES that allows every exchange whose connector can place orders. */
const ALL = 'all';
/** The value that allows no exchange. */
const NONE = 'none';

/** The exchanges at which this installation allows orders. */
@Injectable()
export class TradingExchanges {
  private readonly allowed: readonly string[];

  /** @throws InvalidConfig when TRADING_EXCHANGES contains an unknown id or an exchange that cannot place orders */
  constructor({ values: { TRADING_EXCHANGES: chosen } }: Config) {
    requireKnown('TRADING_EXCHANGES', chosen, [ALL, NONE, ...tradingExchangeIds]);
    if (chosen.length === 0) this.allowed = defaultTradingExchangeIds;
    else this.allowed = chosen.includes(ALL) ? tradingExchangeIds : chosen.filter((id) => id !== NONE);
  }

  /** @throws TradingExchangeNotSupported when TRADING_EXCHANGES does not allow orders at the exchange */
  require(exchange: string): void {
    if (!this.allowed.includes(exchange)) throw new TradingExchangeNotSupported(exchange, this.allowed);
  }
}

/** @throws TradingExchangeNotSupported when the connector has no trading */
export function tradingOf({ exchange, trading }: ExchangeSession): TradingCapability {
  if (trading === undefined) throw new TradingExchangeNotSupported(exchange);
  return trading;
}
