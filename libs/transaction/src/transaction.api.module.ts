import { Module } from '@nestjs/common';
import { AccessModule } from '#access';
import { TransactionController } from './transaction.controller.js';
import { TransactionModule } from './transaction.module.js';

/** The history over HTTP. */
@Module({ imports: [AccessModule, TransactionModule], controllers: [TransactionController] })
export class TransactionApiModule {}
