import { Module } from '@nestjs/common';
import { ConnectModule } from './connect.module.js';

/** What keeps the tables of connecting small. For the worker process alone. */
@Module({ imports: [ConnectModule] })
export class ConnectWorkerModule {}
