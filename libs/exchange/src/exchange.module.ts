import { Module } from '@nestjs/common';
import { Exchanges } from './exchanges.service.js';
import { Tickers } from './tickers/tickers.service.js';

@Module({ providers: [Exchanges, Tickers], exports: [Exchanges, Tickers] })
export class ExchangeModule {}
