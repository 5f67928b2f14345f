import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AccessModule } from '#access';
import { ExchangeModule } from '#exchange';
import { RecordInvalidCredentials } from './record-invalid-credentials.js';
import { WalletBalances } from './wallet-balances.service.js';
import { WalletCredentials } from './wallet-credentials.service.js';
import { WalletSessions } from './wallet-sessions.service.js';
import { Wallet } from './wallet.entity.js';
import { Wallets } from './wallets.service.js';

/** Entities and use cases of wallets. */
@Module({
  imports: [TypeOrmModule.forFeature([Wallet]), AccessModule, ExchangeModule],
  providers: [RecordInvalidCredentials, WalletBalances, WalletCredentials, WalletSessions, Wallets],
  exports: [WalletBalances, WalletSessions, Wallets],
})
export class WalletModule {}
