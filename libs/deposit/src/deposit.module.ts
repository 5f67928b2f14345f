import { Module } from '@nestjs/common';
import { WalletModule } from '#wallet';

/** Deposit addresses. */
@Module({ imports: [WalletModule] })
export class DepositModule {}
