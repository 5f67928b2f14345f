import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { TransactionModule } from '#transaction';
import { WalletModule } from '#wallet';
import { ExecuteQuote } from './execute-quote.js';
import { Quote } from './quote.entity.js';
import { Quotes } from './quotes.js';
import { ReconcileWithdrawal } from './reconcile-withdrawal.js';
import { SubmitWithdrawal } from './submit-withdrawal.js';
import { WithdrawalAttempt } from './withdrawal-attempt.entity.js';
import { WithdrawalLedger } from './withdrawal-ledger.js';
import { WithdrawalStore } from './withdrawal-store.js';
import { Withdrawal } from './withdrawal.entity.js';

/** From a quote to settled money: claim, submission, reconciling. */
@Module({
  imports: [TypeOrmModule.forFeature([Quote, Withdrawal, WithdrawalAttempt]), WalletModule, TransactionModule],
  providers: [Quotes, WithdrawalStore, WithdrawalLedger, SubmitWithdrawal, ExecuteQuote, ReconcileWithdrawal],
  exports: [Quotes, WithdrawalStore, ExecuteQuote, ReconcileWithdrawal],
})
export class ExecutionModule {}
