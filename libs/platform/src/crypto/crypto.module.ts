import { Global, Module } from '@nestjs/common';
import { Config } from '#platform/config';
import { Keyring } from './keyring.js';
import { Vault } from './vault.js';

@Global()
@Module({
  providers: [
    { provide: Keyring, inject: [Config], useFactory: (config: Config) => Keyring.fromConfig(config) },
    Vault,
  ],
  exports: [Vault],
})
export class CryptoModule {}
