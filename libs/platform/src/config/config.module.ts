import { Global, Module, type DynamicModule } from '@nestjs/common';
import { Config } from './config.js';

/** Makes the configuration of this process injectable everywhere. */
@Global()
@Module({})
export class ConfigModule {
  static forRoot(config: Config): DynamicModule {
    return { module: ConfigModule, providers: [{ provide: Config, useValue: config }], exports: [Config] };
  }
}
