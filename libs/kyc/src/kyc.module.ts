import { Module } from '@nestjs/common';
import { WalletModule } from '#wallet';
import { Identities } from './identities.js';

@Module({ imports: [WalletModule], providers: [Identities], exports: [Identities] })
export class KycModule {}
