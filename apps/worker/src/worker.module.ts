import { Module, type DynamicModule } from '@nestjs/common';
import { AccessWorkerModule } from '#access/worker';
import { FollowSharingModule } from '#exchange';
import { PlatformModule } from '#platform/app';
import { ConnectWorkerModule } from '#connect/worker';
import { MarketWorkerModule } from '#market/worker';
import type { Config } from '#platform/config';
import { EventsModule } from '#platform/events';
import { HealthModule } from '#platform/health';
import type { Logger } from '#platform/logging';
import { QueueModule } from '#platform/queue';
import { TradingWorkerModule } from '#trading/worker';
import { TransactionWorkerModule } from '#transaction/worker';
import { WalletWorkerModule } from '#wallet/worker';
import { WebhookWorkerModule } from '#webhook/worker';
import { WithdrawalWorkerModule } from '#withdrawal/worker';
import { HealthController } from './health.controller.js';
import { RequireQueue } from './require-queue.js';

/** The worker: the feature modules whose jobs it runs. */
@Module({})
export class WorkerModule {
  static forRoot(config: Config, logger: Logger): DynamicModule {
    return {
      module: WorkerModule,
      imports: [
        PlatformModule.forRoot(config, logger, 'worker'),
        QueueModule.forWorker(),
        HealthModule,
        EventsModule.forWorker(),
        AccessWorkerModule,
        FollowSharingModule,
        MarketWorkerModule,
        WalletWorkerModule,
        TransactionWorkerModule,
        WithdrawalWorkerModule,
        TradingWorkerModule,
        ConnectWorkerModule,
        WebhookWorkerModule,
      ],
      controllers: [HealthController],
      providers: [RequireQueue],
    };
  }
}
