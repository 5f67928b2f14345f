import { Global, Module, type DynamicModule } from '@nestjs/common';
import { AccessModule } from '#access';
import { ConnectProjectsModule, SealedSessions } from '#connect';
import { PauseStoreModule } from '#exchange';
import { KycModule } from '#kyc';
import { Clock } from '#platform/clock';
import { Config, ConfigModule } from '#platform/config';
import { CryptoModule } from '#platform/crypto';
import { DatabaseModule } from '#platform/database';
import { EventsModule } from '#platform/events';
import { Shutdown } from '#platform/lifecycle';
import { LoggingModule, createLogger } from '#platform/logging';
import { Metrics } from '#platform/metrics';
import { TradingModule } from '#trading';
import { WebhookModule } from '#webhook';
import { SealedChallenges, WithdrawalModule } from '#withdrawal';
import { ResumeExchange } from './resume-exchange.js';

/**
 * The features that the commands call. This module is global, because these features need its clock, its metrics and
 * its shutdown.
 */
@Global()
@Module({})
export class CliModule {
  /** @param withExchanges whether to load the features that need the vault: wallets, withdrawals, orders, webhooks. */
  static forRoot(config: Config, withExchanges: boolean): DynamicModule {
    // Standard output belongs to the result of the command; failures go to standard error.
    const silent = config.with({ LOG_LEVEL: 'silent' });
    return {
      module: CliModule,
      imports: [
        ConfigModule.forRoot(silent),
        LoggingModule.forRoot(createLogger(silent, 'cli')),
        DatabaseModule.forRoot('causeway-cli'),
        EventsModule,
        AccessModule,
        ConnectProjectsModule,
        PauseStoreModule,
        ...(withExchanges ? [CryptoModule, KycModule, WithdrawalModule, TradingModule, WebhookModule] : []),
      ],
      providers: [
        Clock,
        Metrics,
        Shutdown,
        ResumeExchange,
        ...(withExchanges ? [SealedChallenges, SealedSessions] : []),
      ],
      exports: [Clock, Metrics, Shutdown],
    };
  }
}
