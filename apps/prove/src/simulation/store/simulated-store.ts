import type { ProjectIdentity } from '#access';
import type { Clock } from '#platform/clock';
import type { Database, DatabaseClock } from '#platform/database';
import type { Logger } from '#platform/logging';
import type { Transaction } from '#transaction';
import type { HistorySyncPorts } from '#transaction/testing';
import type { Wallet } from '#wallet';
import type { Quote, Withdrawal, WithdrawalAttempt } from '#withdrawal';
import type { DatabaseOnlyPorts, WithdrawalPorts } from '#withdrawal/testing';

export type TransactionRow = Pick<
  Transaction,
  'id' | 'externalWalletId' | 'origin' | 'status' | 'amount' | 'exchangeTransactionId' | 'fee' | 'supersededBy'
>;

/** The rows of the database as of the last call of `look`. */
export interface Rows {
  withdrawals: readonly Withdrawal[];
  attempts: readonly WithdrawalAttempt[];
  transactions: readonly TransactionRow[];
  /** The exchange's ids of unmatched records. */
  unmatchedRecords: readonly string[];
  /** Number of wallets that are not yet compared with their exchange after a restore. */
  openChecks: number;
}

export const noRows: Rows = { withdrawals: [], attempts: [], transactions: [], unmatchedRecords: [], openChecks: 0 };

/** Stores the actions of a wallet's owner. */
export interface OwnerPort {
  /** Stores the credentials of a new wallet, or replaces those of an existing one. @returns their version. */
  connect(wallet: Wallet, apiKey: string): Promise<string>;
  delete(wallet: Wallet): Promise<void>;
  /** Erases replaced credentials and those of deleted wallets, when the time for which they are kept is over. */
  eraseKept(): Promise<void>;
}

export type DatabaseOnly = DatabaseOnlyPorts & HistorySyncPorts;

/** The parts that need a real database. */
export interface RealDatabase {
  /** The database for classes that are called only inside transactions, such as the audit log. */
  readonly db: Database;
  portsOf(clock: Clock, time: DatabaseClock, logger: Logger): DatabaseOnly;
  backUp(): Promise<void>;
  /** Restores the rows of `backUp`. */
  restore(): Promise<void>;
}

/** The database of one run. */
export interface SimulatedStore {
  /** The ports of a process with this clock. */
  portsOf(clock: Clock, time: DatabaseClock): WithdrawalPorts;
  /** @param projects the projects of all wallets of the run. */
  ownerOf(clock: Clock, projects: readonly ProjectIdentity[]): OwnerPort;
  addQuote(quote: Quote): Promise<void>;
  /** Reads the rows; call it after every step. @returns whether something may have changed. */
  look(label: string): Promise<boolean>;
  readonly rows: Rows;
  /** null = in memory. */
  readonly real: RealDatabase | null;
}
