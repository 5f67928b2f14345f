import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Transaction } from './transaction.entity.js';
import { Transactions } from './transactions.service.js';

/** Entities and services of the history. */
@Module({
  imports: [TypeOrmModule.forFeature([Transaction])],
  providers: [Transactions],
  exports: [Transactions],
})
export class TransactionModule {}
