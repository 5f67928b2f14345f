import { Module } from '@nestjs/common';
import { WalletModule } from '#wallet';
import { StoreIdentity } from './store-identity.js';

/** Use cases of identities. */
@Module({ imports: [WalletModule], providers: [StoreIdentity], exports: [StoreIdentity] })
export class KycModule {}
