import { Global, Module, type DynamicModule } from '@nestjs/common';
import { Clock } from '#platform/clock';
import { ConfigModule, type Config } from '#platform/config';
import { CryptoModule } from '#platform/crypto';
import { DatabaseModule } from '#platform/database';
import { EventsModule } from '#platform/events';
import { PeriodicTasks, RowFollower, Shutdown } from '#platform/lifecycle';
import { LoggingModule, type Logger } from '#platform/logging';
import { Metrics, MetricsServer, ProcessMetrics } from '#platform/metrics';

/** Provides configuration, log, database, vault and clock to every module of a process. */
@Global()
@Module({})
export class PlatformModule {
  /** @param name of the process; PostgreSQL shows it in `pg_stat_activity`. */
  static forRoot(config: Config, logger: Logger, name: string): DynamicModule {
    return {
      module: PlatformModule,
      imports: [
        ConfigModule.forRoot(config),
        LoggingModule.forRoot(logger),
        DatabaseModule.forRoot(`causeway-${name}`),
        CryptoModule,
        EventsModule,
      ],
      providers: [Clock, Metrics, MetricsServer, ProcessMetrics, Shutdown, PeriodicTasks, RowFollower],
      exports: [Clock, Metrics, MetricsServer, Shutdown, PeriodicTasks, RowFollower],
    };
  }
}
