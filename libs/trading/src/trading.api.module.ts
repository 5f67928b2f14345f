import { Module } from '@nestjs/common';
import { AccessModule } from '#access';
import { TradingModule } from './trading.module.js';

/** Trading over HTTP. */
@Module({ imports: [AccessModule, TradingModule] })
export class TradingApiModule {}
