import { Module } from '@nestjs/common';
import { TransactionModule } from './transaction.module.js';

/** What the worker does for histories; imported by the worker alone. */
@Module({ imports: [TransactionModule] })
export class TransactionWorkerModule {}
