import { Module } from '@nestjs/common';
import { Prices } from './prices.service.js';

/** Tickers and prices. */
@Module({ providers: [Prices], exports: [Prices] })
export class MarketModule {}
