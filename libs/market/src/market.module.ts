import { Module } from '@nestjs/common';
import { CurrentTickers } from './current-tickers.js';
import { PriceHistory } from './price-history.js';
import { Prices } from './prices.service.js';
import { TickerStore } from './ticker-store.js';

/** Tickers and prices. Only the API and the worker keep present prices, with `FollowTickers`. */
@Module({
  providers: [CurrentTickers, PriceHistory, Prices, TickerStore],
  exports: [CurrentTickers, PriceHistory, Prices, TickerStore],
})
export class MarketModule {}
