import { Module } from '@nestjs/common';
import { WalletModule } from '#wallet';
import { AddressTurns } from './address-turns.js';
import { DepositAddresses } from './deposit-addresses.js';
import { GetDepositAddress } from './get-deposit-address.js';

/** Use cases of deposit addresses. */
@Module({
  imports: [WalletModule],
  providers: [AddressTurns, DepositAddresses, GetDepositAddress],
  exports: [GetDepositAddress],
})
export class DepositModule {}
