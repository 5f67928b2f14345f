import type { Clock } from '#platform/clock';
import type { Config } from '#platform/config';
import type { DatabaseClock } from '#platform/database';
import type { Wallet } from '#wallet';
import type { Quote } from '#withdrawal';
import { memoryPorts, MemoryTables, type WithdrawalPorts } from '#withdrawal/testing';
import { FIRST_CREDENTIALS } from '../credentials.js';
import type { Rows, SimulatedStore } from './simulated-store.js';

/** A database in memory, fast enough for a million runs. */
export class MemoryStore implements SimulatedStore {
  private readonly tables = new MemoryTables();
  private seen = -1;
  rows: Rows = { withdrawals: [], attempts: [], transactions: [] };

  constructor(private readonly config: Config) {}

  portsOf(clock: Clock, time: DatabaseClock): WithdrawalPorts {
    return memoryPorts(this.tables, clock, this.config, time);
  }

  connect(wallet: Wallet): Promise<void> {
    this.tables.wallets.insert(wallet.id, wallet);
    this.tables.credentials.insert(wallet.id, { walletId: wallet.id, version: FIRST_CREDENTIALS });
    return Promise.resolve();
  }

  addQuote(quote: Quote): Promise<void> {
    this.tables.quotes.insert(quote.id, quote);
    return Promise.resolve();
  }

  look(): Promise<boolean> {
    const { withdrawals, attempts, transactions, version } = this.tables;
    const isChanged = version !== this.seen;
    this.seen = version;
    if (isChanged) {
      this.rows = { withdrawals: withdrawals.all(), attempts: attempts.all(), transactions: transactions.all() };
    }
    return Promise.resolve(isChanged);
  }
}
