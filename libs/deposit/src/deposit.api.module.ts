import { Module } from '@nestjs/common';
import { AccessModule } from '#access';
import { DepositAddressController } from './deposit-address.controller.js';
import { DepositModule } from './deposit.module.js';

/** The endpoint of deposit addresses; only the API process imports it. */
@Module({ imports: [AccessModule, DepositModule], controllers: [DepositAddressController] })
export class DepositApiModule {}
