import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { TransactionModule } from '#transaction';
import { WalletModule } from '#wallet';
import { Quote } from './quote.entity.js';

/** Entities and use cases of withdrawals. */
@Module({
  imports: [TypeOrmModule.forFeature([Quote]), WalletModule, TransactionModule],
})
export class WithdrawalModule {}
