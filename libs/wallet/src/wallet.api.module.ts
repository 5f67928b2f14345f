import { Module } from '@nestjs/common';
import { AccessModule } from '#access';
import { WalletController } from './api/wallet.controller.js';
import { WalletModule } from './wallet.module.js';

/** The endpoints of wallets. For the API process alone. */
@Module({
  imports: [WalletModule, AccessModule],
  controllers: [WalletController],
})
export class WalletApiModule {}
