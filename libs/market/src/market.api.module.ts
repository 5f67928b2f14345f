import { Module } from '@nestjs/common';
import { FollowTickers } from './follow-tickers.js';
import { MarketController } from './market.controller.js';
import { MarketModule } from './market.module.js';
import { TickerAnswers } from './ticker-answers.js';

/** The HTTP endpoint of tickers. */
@Module({ imports: [MarketModule], controllers: [MarketController], providers: [FollowTickers, TickerAnswers] })
export class MarketApiModule {}
