import { Module } from '@nestjs/common';
import { WalletModule } from '#wallet';
import { GetIdentity } from './get-identity.js';
import { StoreIdentity } from './store-identity.js';

const useCases = [GetIdentity, StoreIdentity];

@Module({ imports: [WalletModule], providers: useCases, exports: useCases })
export class KycModule {}
