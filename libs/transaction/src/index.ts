/**
 * transaction: the history of wallets, deposits and withdrawals.
 *
 * Owns: the `transactions` table and its states.
 * Never does: call an exchange to move money, or decide the outcome of a withdrawal; the withdrawal lib reports it
 * (`settle`, `link`).
 * Invariants: a transaction is never deleted and outlives its wallet. Its status changes once, from `pending` to `ok`,
 * `failed` or `canceled`; only a failure that a record of the exchange disproves is taken back (`reopen`). One record
 * of an exchange is one row (unique wallet, kind and exchange transaction id). `amount` is what arrives, without the
 * fee. An unknown fiat value is null, never 0.
 */
export { Transaction, type TransactionStatus } from './history/transaction.entity.js';
export {
  Transactions,
  type ExchangeFacts,
  type MovedAmounts,
  type WithdrawalDraft,
} from './history/transactions.service.js';
export { HistoryWatchers, type HistoryWatcher, type WatchedWallet } from './history/history-watchers.js';
export { MakeHistoryDue } from './sync/make-history-due.js';
export { TransactionModule } from './history/transaction.module.js';
