import type { Clock } from '#platform/clock';
import type { Config } from '#platform/config';
import type { DatabaseClock } from '#platform/database';
import type { Quote } from '#withdrawal';
import { memoryPorts, MemoryTables, MemoryWalletWrites, type WithdrawalPorts } from '#withdrawal/testing';
import { noRows, type OwnerPort, type SimulatedStore } from './simulated-store.js';

/** A database in memory, fast enough for a million runs. */
export class MemoryStore implements SimulatedStore {
  private readonly tables = new MemoryTables();
  private seen = -1;
  rows = noRows;
  readonly real = null;

  constructor(private readonly config: Config) {}

  portsOf(clock: Clock, time: DatabaseClock): WithdrawalPorts {
    return memoryPorts(this.tables, { clock, config: this.config, time });
  }

  ownerOf(clock: Clock): OwnerPort {
    const { tables } = this;
    const writes = new MemoryWalletWrites(tables, clock, this.config);
    return {
      connect: (wallet, apiKey) => {
        if (tables.wallets.get(wallet.id) === null) writes.insert(wallet);
        return Promise.resolve(writes.store(wallet.id, apiKey));
      },
      delete: (wallet) => Promise.resolve(writes.delete(wallet)),
      eraseKept: () => Promise.resolve(writes.eraseKept()),
    };
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
      this.rows = {
        ...noRows,
        withdrawals: withdrawals.all(),
        attempts: attempts.all(),
        transactions: transactions.all(),
      };
    }
    return Promise.resolve(isChanged);
  }
}
