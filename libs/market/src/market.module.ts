import { Module } from '@nestjs/common';
import { CurrentTickers } from './current-tickers.js';
import { PriceHistory } from './price-history.js';
import { Prices } from './prices.service.js';
import { TickerStore } from './ticker-store.js';

/** Tickers and prices. In the API and the worker the present ones are kept current; elsewhere there are none. */
@Module({
  providers: [CurrentTickers, PriceHistory, Prices, TickerStore],
  exports: [CurrentTickers, PriceHistory, Prices, TickerStore],
})
export class MarketModule {}
