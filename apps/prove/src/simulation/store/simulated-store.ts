import type { Clock } from '#platform/clock';
import type { DatabaseClock } from '#platform/database';
import type { Transaction } from '#transaction';
import type { Wallet } from '#wallet';
import type { Quote, Withdrawal, WithdrawalAttempt } from '#withdrawal';
import type { WithdrawalPorts } from '#withdrawal/testing';

export type TransactionRow = Pick<Transaction, 'id' | 'status' | 'exchangeTransactionId' | 'amount' | 'fee'>;

/** What the database holds, as of the last call. */
export interface Rows {
  withdrawals: readonly Withdrawal[];
  attempts: readonly WithdrawalAttempt[];
  transactions: readonly TransactionRow[];
}

/** The database of one run. */
export interface SimulatedStore {
  /** What a process with this clock sees of it. */
  portsOf(clock: Clock, time: DatabaseClock): WithdrawalPorts;
  connect(wallet: Wallet): Promise<void>;
  addQuote(quote: Quote): Promise<void>;
  /** To be called after every step. @returns whether something may have changed. */
  look(label: string): Promise<boolean>;
  readonly rows: Rows;
}
