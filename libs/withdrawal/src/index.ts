/**
 * withdrawal: money out of a wallet, from what can be withdrawn to what became of it.
 *
 * Owns: withdrawable balances, fee information, quotes, executions and their attempts, what operators decide about them,
 * and what a restored database may have forgotten.
 * Never does: keep credentials (`#wallet`), keep the history (`#transaction`), speak an exchange's language (`#exchange`).
 * Invariants: a quote is immutable, `amountWithFee = amountNoFee + fee`, amounts are refused rather than rounded, and a
 * tag that an earlier quote to the same address carried is not lost silently; one quote is executed at most once, and an
 * execution whose outcome is not known is never called failed.
 */
export { Quote } from './quote/quote.entity.js';
export { WithdrawalAttempt } from './execution/withdrawal-attempt.entity.js';
export type { HistoryAnswer, HistoryRecord } from './operator/exchange-history.js';
export { ListReviews, type ReviewItem, type ReviewState } from './operator/list-reviews.js';
export type { UnmatchedRecord } from './operator/unmatched-records.js';
export { SettleWithdrawal, operatorOutcomes, type OperatorOutcome } from './operator/settle-withdrawal.js';
export { ShowWithdrawal, type ShownWithdrawal } from './operator/show-withdrawal.js';
export { withdrawalStates } from './execution/withdrawal-state.js';
export { Withdrawal } from './execution/withdrawal.entity.js';
export { WithdrawalModule } from './withdrawal.module.js';
