import { Module } from '@nestjs/common';
import { FollowTickers } from './follow-tickers.js';
import { MarketController } from './market.controller.js';
import { MarketModule } from './market.module.js';
import { TickerResponses } from './ticker-responses.js';

/** The HTTP endpoint of tickers. */
@Module({ imports: [MarketModule], controllers: [MarketController], providers: [FollowTickers, TickerResponses] })
export class MarketApiModule {}
