import type { Clock } from '#platform/clock';
import type { Database, DatabaseClock } from '#platform/database';
import type { Transaction } from '#transaction';
import type { HistorySyncPorts } from '#transaction/testing';
import type { Wallet } from '#wallet';
import type { Quote, Withdrawal, WithdrawalAttempt } from '#withdrawal';
import type { DatabaseOnlyPorts, WithdrawalPorts } from '#withdrawal/testing';

export type TransactionRow = Pick<
  Transaction,
  'id' | 'externalWalletId' | 'origin' | 'status' | 'amount' | 'exchangeTransactionId' | 'fee' | 'supersededBy'
>;

/** What the database holds, as of the last call. */
export interface Rows {
  withdrawals: readonly Withdrawal[];
  attempts: readonly WithdrawalAttempt[];
  transactions: readonly TransactionRow[];
  /** Ids of withdrawals that the exchange shows and that a restored database does not know. */
  unmatchedRecords: readonly string[];
  /** Wallets that are not compared with their exchange since a restore. */
  openChecks: number;
}

export const noRows: Rows = { withdrawals: [], attempts: [], transactions: [], unmatchedRecords: [], openChecks: 0 };

/** What owners of wallets have written down for them. */
export interface OwnerPort {
  /** Stores credentials of a new wallet, or other ones of a wallet that is there. @returns their version. */
  connect(wallet: Wallet, apiKey: string): Promise<string>;
  delete(wallet: Wallet): Promise<void>;
  /** Ends the time for which credentials of deleted wallets are kept, where it is over. */
  eraseKept(): Promise<void>;
}

export type DatabaseOnly = DatabaseOnlyPorts & HistorySyncPorts;

/** What only a real database can play. */
export interface RealDatabase {
  /** For what is done inside of transactions. */
  readonly db: Database;
  portsOf(clock: Clock, time: DatabaseClock): DatabaseOnly;
  backUp(): Promise<void>;
  /** Everything that happened since `backUp` is forgotten. */
  restore(): Promise<void>;
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
  /** null = in memory. */
  readonly real: RealDatabase | null;
}
