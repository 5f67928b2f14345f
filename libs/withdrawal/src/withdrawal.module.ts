import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { TransactionModule } from '#transaction';
import { WalletModule } from '#wallet';
import { CreateQuote } from './create-quote.js';
import { ExecuteQuote } from './execute-quote.js';
import { GetFeeInfo } from './fee-info.js';
import { Quote } from './quote.entity.js';
import { Quotes } from './quotes.js';
import { ReconcileWithdrawal } from './reconcile-withdrawal.js';
import { SubmitWithdrawal } from './submit-withdrawal.js';
import { WithdrawableBalance } from './withdrawable-balance.js';
import { WithdrawalAttempt } from './withdrawal-attempt.entity.js';
import { WithdrawalLedger } from './withdrawal-ledger.js';
import { WithdrawalStore } from './withdrawal-store.js';
import { Withdrawal } from './withdrawal.entity.js';

const useCases = [CreateQuote, ExecuteQuote, GetFeeInfo, ReconcileWithdrawal, WithdrawableBalance];

/** Entities and use cases of withdrawals. */
@Module({
  imports: [TypeOrmModule.forFeature([Quote, Withdrawal, WithdrawalAttempt]), WalletModule, TransactionModule],
  providers: [...useCases, Quotes, SubmitWithdrawal, WithdrawalLedger, WithdrawalStore],
  exports: [...useCases, WithdrawalStore],
})
export class WithdrawalModule {}
