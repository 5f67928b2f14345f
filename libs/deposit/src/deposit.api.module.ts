import { Module } from '@nestjs/common';
import { AccessModule } from '#access';
import { DepositAddressController } from './deposit-address.controller.js';
import { DepositModule } from './deposit.module.js';

/** Deposit addresses over HTTP. For the API process alone. */
@Module({ imports: [AccessModule, DepositModule], controllers: [DepositAddressController] })
export class DepositApiModule {}
