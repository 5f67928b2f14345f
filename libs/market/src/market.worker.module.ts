import { Module } from '@nestjs/common';
import { MarketModule } from './market.module.js';

/** The refresh of tickers; imported by the worker alone. */
@Module({ imports: [MarketModule] })
export class MarketWorkerModule {}
