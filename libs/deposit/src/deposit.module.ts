import { Module } from '@nestjs/common';
import { WalletModule } from '#wallet';
import { AddressLocks } from './address-locks.js';
import { DepositAddresses } from './deposit-addresses.js';
import { GetDepositAddress } from './get-deposit-address.js';

/** The use case of deposit addresses. */
@Module({
  imports: [WalletModule],
  providers: [AddressLocks, DepositAddresses, GetDepositAddress],
  exports: [GetDepositAddress],
})
export class DepositModule {}
