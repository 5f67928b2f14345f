import { Global, Module, type DynamicModule } from '@nestjs/common';
import { AccessModule } from '#access';
import { Clock } from '#platform/clock';
import { Config, ConfigModule } from '#platform/config';
import { DatabaseModule } from '#platform/database';
import { LoggingModule, createLogger } from '#platform/logging';

/** The features that the commands call. Global, because they look for the clock. */
@Global()
@Module({})
export class CliModule {
  static forRoot(config: Config): DynamicModule {
    // Standard output belongs to the result of the command; what fails is told on standard error.
    const silent = new Config({ ...config.values, LOG_LEVEL: 'silent' }, config.exchangeUrls);
    return {
      module: CliModule,
      imports: [
        ConfigModule.forRoot(silent),
        LoggingModule.forRoot(createLogger(silent, 'cli')),
        DatabaseModule.forRoot('causeway-cli'),
        AccessModule,
      ],
      providers: [Clock],
      exports: [Clock],
    };
  }
}
