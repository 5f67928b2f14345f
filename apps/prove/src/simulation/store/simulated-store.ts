import type { Clock } from '#platform/clock';
import type { DatabaseClock } from '#platform/database';
import type { Transaction } from '#transaction';
import type { Wallet } from '#wallet';
import type { Quote, Withdrawal, WithdrawalAttempt } from '#withdrawal';
import type { WithdrawalPorts } from '#withdrawal/testing';

export type TransactionRow = Pick<Transaction, 'id' | 'status' | 'amount' | 'exchangeTransactionId' | 'fee'>;

/** What the database holds, as of the last call. */
export interface Rows {
  withdrawals: readonly Withdrawal[];
  attempts: readonly WithdrawalAttempt[];
  transactions: readonly TransactionRow[];
}

/** What owners of wallets have written down for them. */
export interface OwnerPort {
  /** Stores credentials of a new wallet, or other ones of a wallet that is there. @returns their version. */
  connect(wallet: Wallet, apiKey: string): Promise<string>;
  delete(wallet: Wallet): Promise<void>;
  /** Ends the time for which credentials of deleted wallets are kept, where it is over. */
  eraseKept(): Promise<void>;
}

/** The database of one run. */
export interface SimulatedStore {
  /** What a process with this clock sees of it. */
  portsOf(clock: Clock, time: DatabaseClock): WithdrawalPorts;
  ownerOf(clock: Clock): OwnerPort;
  addQuote(quote: Quote): Promise<void>;
  /** To be called after every step. @returns whether something may have changed. */
  look(label: string): Promise<boolean>;
  readonly rows: Rows;
}
