import { Global, Module } from '@nestjs/common';
import { Config } from '#platform/config';
import { Keyring } from './keyring.js';
import { ResealRecords } from './reseal-records.js';
import { SealedTables } from './sealed-tables.js';
import { VaultStatus } from './vault-status.js';
import { Vault } from './vault.js';

@Global()
@Module({
  providers: [
    { provide: Keyring, inject: [Config], useFactory: (config: Config) => Keyring.fromConfig(config) },
    ResealRecords,
    SealedTables,
    Vault,
    VaultStatus,
  ],
  exports: [ResealRecords, SealedTables, Vault, VaultStatus],
})
export class CryptoModule {}
