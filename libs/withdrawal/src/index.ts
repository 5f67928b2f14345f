/**
 * withdrawal: withdrawals from a wallet, from the quote to the final state.
 *
 * Owns: withdrawable balances, fee information, quotes, executions and their attempts, operators' decisions about them,
 * and the comparison with the exchanges after a restore of the database.
 * Never does: keep credentials (`#wallet`), keep the history (`#transaction`), speak an exchange's protocol
 * (`#exchange`).
 * Invariants: a quote is immutable and `amountWithFee = amountNoFee + fee`. Amounts are never rounded. A tag that was
 * used with an address is never left out silently. A quote is executed at most once. An execution with an unknown
 * outcome is never reported as failed.
 */
export { Quote } from './quote/quote.entity.js';
export { WithdrawalAttempt } from './withdrawals/withdrawal-attempt.entity.js';
export type { HistoryAnswer, HistoryRecord } from './operator/exchange-history.js';
export { ListReviews, type ReviewItem, type ReviewState } from './operator/list-reviews.js';
export type { UnmatchedRecord } from './operator/unmatched-records.js';
export { SettleWithdrawal, operatorOutcomes, type OperatorOutcome } from './operator/settle-withdrawal.js';
export { ShowWithdrawal, type ShownWithdrawal } from './operator/show-withdrawal.js';
export { withdrawalStates } from './withdrawals/withdrawal-state.js';
export { Withdrawal } from './withdrawals/withdrawal.entity.js';
export { WithdrawalModule } from './withdrawal.module.js';
export { SealedChallenges } from './verification/sealed-challenges.js';
