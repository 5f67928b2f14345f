import { Module } from '@nestjs/common';
import { TradingModule } from './trading.module.js';

/** What the worker does for catalogues and orders; imported by the worker alone. */
@Module({ imports: [TradingModule] })
export class TradingWorkerModule {}
