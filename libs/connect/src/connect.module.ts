import { Module } from '@nestjs/common';
import { AccessModule } from '#access';
import { ExchangeModule } from '#exchange';
import { KycModule } from '#kyc';
import { WalletModule } from '#wallet';

/** Use cases of connecting. */
@Module({ imports: [AccessModule, ExchangeModule, KycModule, WalletModule] })
export class ConnectModule {}
