import { Module } from '@nestjs/common';
import { AccessModule } from '#access';
import { DepositModule } from './deposit.module.js';

/** Deposit addresses over HTTP. */
@Module({ imports: [AccessModule, DepositModule] })
export class DepositApiModule {}
