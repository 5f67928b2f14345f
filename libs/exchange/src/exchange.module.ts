import { Module } from '@nestjs/common';
import { Exchanges } from './exchanges.service.js';
import { PairLists } from './pairs/pair-lists.service.js';
import { Tickers } from './tickers/tickers.service.js';

@Module({ providers: [Exchanges, PairLists, Tickers], exports: [Exchanges, PairLists, Tickers] })
export class ExchangeModule {}
