import { Module } from '@nestjs/common';
import { ExchangeModule } from '#exchange';
import { ConnectModule } from '../connect.module.js';
import { AssetsController } from './assets.controller.js';
import { ConnectPageController } from './connect-page.controller.js';
import { PagePlaces } from './page-places.js';

/** The hosted page. */
@Module({
  imports: [ConnectModule, ExchangeModule],
  controllers: [AssetsController, ConnectPageController],
  providers: [PagePlaces],
  // What `PageErrorFilter` needs on the way back from an exchange, which browsers take too.
  exports: [PagePlaces],
})
export class ConnectPageModule {}
