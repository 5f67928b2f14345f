import { Module } from '@nestjs/common';
import { Authorizations } from './authorizations.service.js';
import { Exchanges } from './exchanges.service.js';
import { PairLists } from './pairs/pair-lists.service.js';
import { Tickers } from './tickers/tickers.service.js';

const services = [Authorizations, Exchanges, PairLists, Tickers];

@Module({ providers: services, exports: services })
export class ExchangeModule {}
