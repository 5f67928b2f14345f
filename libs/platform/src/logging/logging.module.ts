import { Global, Module, type DynamicModule } from '@nestjs/common';
import type { Logger } from 'pino';

/** Injection token of this process's `Logger`. */
export const LOGGER = Symbol('Logger');

@Global()
@Module({})
export class LoggingModule {
  static forRoot(logger: Logger): DynamicModule {
    return { module: LoggingModule, providers: [{ provide: LOGGER, useValue: logger }], exports: [LOGGER] };
  }
}
