import { Module } from '@nestjs/common';
import { AccessModule } from '#access';
import { FeeInfoController } from './quote/fee-info.controller.js';
import { QuoteController } from './quote/quote.controller.js';
import { WithdrawableBalanceController } from './quote/withdrawable-balance.controller.js';
import { WithdrawalController } from './execution/withdrawal.controller.js';
import { WithdrawalModule } from './withdrawal.module.js';

/** The endpoints of withdrawals. Only the API process imports it. */
@Module({
  imports: [AccessModule, WithdrawalModule],
  controllers: [FeeInfoController, QuoteController, WithdrawableBalanceController, WithdrawalController],
})
export class WithdrawalApiModule {}
