import { Module } from '@nestjs/common';
import { AccessModule } from '#access';
import { WalletController } from './api/wallet.controller.js';
import { WalletModule } from './wallet.module.js';

/** The endpoints of wallets; only the API process imports it. */
@Module({ imports: [WalletModule, AccessModule], controllers: [WalletController] })
export class WalletApiModule {}
