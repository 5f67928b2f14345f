import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AccessModule } from '#access';
import { MarketModule } from '#market';
import { TransactionModule } from '#transaction';
import { WalletModule } from '#wallet';
import { CreateQuote } from './quote/create-quote.js';
import { ExecuteQuote } from './execution/execute-quote.js';
import { GetWithdrawal } from './execution/get-withdrawal.js';
import { GetFeeInfo } from './quote/fee-info.js';
import { CompareWallet } from './comparing/compare-wallet.js';
import { EpochChecks } from './epoch/epoch-checks.js';
import { RestoredDatabase } from './epoch/restored-database.js';
import { CompareRefusals } from './refusals/compare-refusals.js';
import { RecheckRefusals } from './refusals/recheck-refusals.js';
import { ReopenWithdrawal } from './refusals/reopen-withdrawal.js';
import { ExchangeHistory } from './operator/exchange-history.js';
import { ListReviews } from './operator/list-reviews.js';
import { OperatorTransitions } from './operator/operator-transitions.js';
import { UnmatchedRecords } from './operator/unmatched-records.js';
import { SettleWithdrawal } from './operator/settle-withdrawal.js';
import { ShowWithdrawal } from './operator/show-withdrawal.js';
import { Quote } from './quote/quote.entity.js';
import { ExecutionLocks } from './withdrawals/execution-locks.js';
import { QuoteTopics } from './quote/quote-topics.js';
import { Quotes } from './quote/quotes.js';
import { ProveAbsence } from './settling/prove-absence.js';
import { WithdrawalTime } from './quote/withdrawal-time.js';
import { ReconcileWithdrawal } from './settling/reconcile-withdrawal.js';
import { SubmitWithdrawal } from './execution/submit-withdrawal.js';
import { ChallengeStore } from './verification/challenge-store.js';
import { CollectedCodes } from './verification/collected-codes.js';
import { VerifyWithdrawal } from './verification/verify-withdrawal.js';
import { StoredNetworks } from './quote/stored-networks.js';
import { WithdrawableBalance } from './quote/withdrawable-balance.js';
import { RecordCorrections } from './withdrawals/record-corrections.js';
import { WithdrawalAttempt } from './withdrawals/withdrawal-attempt.entity.js';
import { WithdrawalTransitions } from './withdrawals/withdrawal-transitions.js';
import { WithdrawalStore } from './withdrawals/withdrawal-store.js';
import { WithdrawalTopics } from './withdrawals/withdrawal-topics.js';
import { Withdrawal } from './withdrawals/withdrawal.entity.js';

const useCases = [
  CompareWallet,
  CreateQuote,
  ExecuteQuote,
  GetFeeInfo,
  GetWithdrawal,
  ListReviews,
  ProveAbsence,
  WithdrawalTime,
  ReconcileWithdrawal,
  SettleWithdrawal,
  ShowWithdrawal,
  WithdrawableBalance,
];

/** Entities and use cases of withdrawals. */
@Module({
  imports: [
    TypeOrmModule.forFeature([Quote, Withdrawal, WithdrawalAttempt]),
    AccessModule,
    MarketModule,
    WalletModule,
    TransactionModule,
  ],
  providers: [
    ...useCases,
    ChallengeStore,
    CollectedCodes,
    CompareRefusals,
    EpochChecks,
    ExchangeHistory,
    OperatorTransitions,
    UnmatchedRecords,
    QuoteTopics,
    Quotes,
    RecheckRefusals,
    RecordCorrections,
    ExecutionLocks,
    ReopenWithdrawal,
    RestoredDatabase,
    StoredNetworks,
    SubmitWithdrawal,
    VerifyWithdrawal,
    WithdrawalTransitions,
    WithdrawalStore,
    WithdrawalTopics,
  ],
  exports: [...useCases, ChallengeStore, EpochChecks, ExecutionLocks, RestoredDatabase, WithdrawalStore],
})
export class WithdrawalModule {}
