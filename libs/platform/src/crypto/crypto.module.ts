import { Global, Module } from '@nestjs/common';
import { Config } from '#platform/config';
import { Keyring } from './keyring.js';
import { SealedSamples } from './sealed-samples.js';
import { Vault } from './vault.js';

@Global()
@Module({
  providers: [
    { provide: Keyring, inject: [Config], useFactory: (config: Config) => Keyring.fromConfig(config) },
    SealedSamples,
    Vault,
  ],
  exports: [SealedSamples, Vault],
})
export class CryptoModule {}
