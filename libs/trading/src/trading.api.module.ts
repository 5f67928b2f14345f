import { Module } from '@nestjs/common';
import { AccessModule } from '#access';
import { ExchangeModule } from '#exchange';
import { WalletModule } from '#wallet';
import { CatalogueResponses } from './catalogue/catalogue-responses.js';
import { CatalogueController } from './catalogue/catalogue.controller.js';
import { FindTradableAssets } from './catalogue/find-tradable-assets.js';
import { FollowCatalogues } from './catalogue/follow-catalogues.js';
import { OrderController } from './order.controller.js';
import { TradingModule } from './trading.module.js';

/** The HTTP endpoints of catalogues and orders. Only the API process imports it. */
@Module({
  imports: [AccessModule, ExchangeModule, WalletModule, TradingModule],
  controllers: [CatalogueController, OrderController],
  providers: [CatalogueResponses, FindTradableAssets, FollowCatalogues],
})
export class TradingApiModule {}
