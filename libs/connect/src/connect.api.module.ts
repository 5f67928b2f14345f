import { Module } from '@nestjs/common';
import { AccessModule } from '#access';
import { ExchangeModule } from '#exchange';
import { ConnectModule } from './connect.module.js';
import { ListenModule } from './listen/listen.module.js';
import { ConnectPageModule } from './page/connect-page.module.js';
import { ConnectProjectsController } from './projects/connect-projects.controller.js';
import { ConnectProjectsModule } from './projects/connect-projects.module.js';
import { Cors } from './projects/cors.js';
import { RegisteredPageGuard } from './projects/registered-page.guard.js';
import { OAuth2Controller } from './oauth2/oauth2.controller.js';

/** Connecting over HTTP: the endpoints, the hosted page, the streams. For the API process alone. */
@Module({
  imports: [AccessModule, ConnectModule, ConnectPageModule, ConnectProjectsModule, ExchangeModule, ListenModule],
  controllers: [ConnectProjectsController, OAuth2Controller],
  providers: [Cors, RegisteredPageGuard],
})
export class ConnectApiModule {}
