import { Module, type DynamicModule } from '@nestjs/common';
import { AccessApiModule } from '#access/api';
import { ConnectApiModule } from '#connect/api';
import { DepositApiModule } from '#deposit/api';
import { FollowSharingModule } from '#exchange';
import { KycApiModule } from '#kyc/api';
import { MarketApiModule } from '#market/api';
import { PlatformModule } from '#platform/app';
import type { Config } from '#platform/config';
import { HealthModule } from '#platform/health';
import type { Logger } from '#platform/logging';
import { TradingApiModule } from '#trading/api';
import { TransactionApiModule } from '#transaction/api';
import { WalletApiModule } from '#wallet/api';
import { WebhookApiModule } from '#webhook/api';
import { WithdrawalApiModule } from '#withdrawal/api';
import { DemoController } from './docs/demo.controller.js';
import { DocsController, ShownDescription } from './docs/docs.controller.js';
import { HealthController } from './health.controller.js';

/** The features of the REST API. */
@Module({})
export class ApiModule {
  static forRoot(config: Config, logger: Logger): DynamicModule {
    const { DOCS_ENABLED, DEMO_FILE } = config.values;
    const docs = [DocsController, ...(DEMO_FILE === undefined ? [] : [DemoController])];
    return {
      module: ApiModule,
      imports: [
        PlatformModule.forRoot(config, logger, 'api'),
        HealthModule,
        AccessApiModule,
        FollowSharingModule,
        MarketApiModule,
        WalletApiModule,
        KycApiModule,
        ConnectApiModule,
        TransactionApiModule,
        WithdrawalApiModule,
        DepositApiModule,
        TradingApiModule,
        WebhookApiModule,
      ],
      controllers: [HealthController, ...(DOCS_ENABLED ? docs : [])],
      providers: [ShownDescription],
    };
  }
}
