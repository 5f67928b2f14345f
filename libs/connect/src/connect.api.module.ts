import { Module } from '@nestjs/common';
import { AccessModule } from '#access';
import { ConnectModule } from './connect.module.js';
import { ListenModule } from './listen/listen.module.js';
import { ConnectPageModule } from './page/connect-page.module.js';

/** Connecting over HTTP: the endpoints, the hosted page, the streams. For the API process alone. */
@Module({ imports: [AccessModule, ConnectModule, ConnectPageModule, ListenModule] })
export class ConnectApiModule {}
