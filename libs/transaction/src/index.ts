/**
 * transaction: the history of wallets, deposits and withdrawals.
 *
 * Owns: the `transactions` table and its states.
 * Never does: call an exchange, move money, or decide what became of a withdrawal; who knows tells it (`settle`, `link`).
 * Invariants: a transaction is never deleted and outlives its wallet; its status moves once, from `pending` to `ok`,
 * `failed` or `canceled`; one record of an exchange is one row (unique wallet and exchange transaction id); `amount` is
 * what arrives, without the fee; an unknown fiat value is null, never 0.
 */
export { Transaction, type TransactionStatus } from './history/transaction.entity.js';
export {
  Transactions,
  type ExchangeFacts,
  type MovedAmounts,
  type WithdrawalDraft,
} from './history/transactions.service.js';
export { TransactionModule } from './history/transaction.module.js';
