import { Module } from '@nestjs/common';
import { AccessModule } from '#access';
import { ExchangeModule } from '#exchange';
import { ConnectModule } from './connect.module.js';
import { ListenModule } from './listen/listen.module.js';
import { OAuth2Controller } from './oauth2/oauth2.controller.js';
import { AssetsController } from './page/assets/assets.controller.js';
import { ConnectFormsController } from './page/connect-forms.controller.js';
import { ConnectPageController } from './page/connect-page.controller.js';
import { FetchedLink } from './page/fetched-link.js';
import { PageSessions } from './page/page-sessions.js';
import { PageUrls } from './page/page-urls.js';
import { ConnectProjectsController } from './projects/connect-projects.controller.js';
import { ConnectProjectsModule } from './projects/connect-projects.module.js';
import { Cors } from './projects/cors.js';
import { RegisteredPageGuard } from './projects/registered-page.guard.js';

/** Connecting over HTTP: the endpoints, the hosted page, the streams. Only the API process imports it. */
@Module({
  imports: [AccessModule, ConnectModule, ConnectProjectsModule, ExchangeModule, ListenModule],
  controllers: [
    AssetsController,
    ConnectFormsController,
    ConnectPageController,
    ConnectProjectsController,
    OAuth2Controller,
  ],
  providers: [Cors, FetchedLink, PageSessions, PageUrls, RegisteredPageGuard],
})
export class ConnectApiModule {}
