import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { WalletModule } from '#wallet';
import { ListTransactions } from './list-transactions.js';
import { Transaction } from './transaction.entity.js';
import { HistoryWatchers } from './history-watchers.js';
import { Transactions } from './transactions.service.js';

/** The history of wallets, for all processes. */
@Module({
  imports: [TypeOrmModule.forFeature([Transaction]), WalletModule],
  providers: [HistoryWatchers, ListTransactions, Transactions],
  exports: [HistoryWatchers, ListTransactions, Transactions],
})
export class TransactionModule {}
