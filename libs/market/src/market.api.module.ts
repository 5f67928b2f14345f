import { Module } from '@nestjs/common';
import { MarketModule } from './market.module.js';

/** Tickers over HTTP. */
@Module({ imports: [MarketModule] })
export class MarketApiModule {}
