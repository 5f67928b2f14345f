import { Module } from '@nestjs/common';
import { Exchanges } from './exchanges.service.js';

@Module({ providers: [Exchanges], exports: [Exchanges] })
export class ExchangeModule {}
