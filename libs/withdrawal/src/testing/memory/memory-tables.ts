import type { Transaction } from '#transaction';
import type { Wallet } from '#wallet';
import type { Quote } from '../../quote/quote.entity.js';
import type { WithdrawalAttempt } from '../../withdrawals/withdrawal-attempt.entity.js';
import type { Withdrawal } from '../../withdrawals/withdrawal.entity.js';
import type { StoredChallenge } from '../../verification/challenge-store.js';
import { keepAttempt, keepEvidence, keepTransaction, keepWithdrawal, type RowRule } from './memory-rules.js';

export interface CredentialsRow {
  walletId: string;
  version: string;
  apiKey: string;
  /** The credentials are erased after this moment; null = they are in use. */
  eraseAfter: Date | null;
}

export interface HoldRow {
  walletId: string;
  holder: string;
  version: string;
}

export interface ChallengeRow extends StoredChallenge {
  workingUntil: Date | null;
  updatedAt: Date;
}

export interface LockRow {
  quoteId: string;
  holder: string;
  until: Date;
}

/**
 * A table with its rows by key. A change replaces the row object, so that a row that a caller has read does not change.
 */
export class MemoryTable<Row extends object> {
  private readonly rows = new Map<string, Row>();

  constructor(
    private readonly onChange: (undo: () => void) => void,
    private readonly rule: RowRule<Row> = () => undefined,
  ) {}

  get(key: string): Row | null {
    return this.rows.get(key) ?? null;
  }

  all(): Row[] {
    return [...this.rows.values()];
  }

  filter(fits: (row: Row) => boolean): Row[] {
    return this.all().filter(fits);
  }

  find(fits: (row: Row) => boolean): Row | null {
    for (const row of this.rows.values()) if (fits(row)) return row;
    return null;
  }

  insert(key: string, row: Row): void {
    if (this.rows.has(key)) throw new Error(`the table already has a row ${key}`);
    this.rule(row, null, this.all());
    this.put(key, row);
  }

  /** Replaces a row with a copy that has the changes, like an UPDATE. */
  update(key: string, changes: Partial<Row>): void {
    const old = this.rows.get(key);
    if (old === undefined) throw new Error(`the table has no row ${key}`);
    const row = copyOf(old, changes);
    this.rule(
      row,
      old,
      this.all().filter((other) => other !== old),
    );
    this.put(key, row);
  }

  delete(key: string): void {
    const old = this.rows.get(key);
    if (old === undefined) return;
    this.rows.delete(key);
    this.onChange(() => this.rows.set(key, old));
  }

  private put(key: string, row: Row): void {
    const old = this.rows.get(key);
    this.rows.set(key, row);
    this.onChange(() => {
      if (old === undefined) this.rows.delete(key);
      else this.rows.set(key, old);
    });
  }
}

/** The tables of withdrawals in memory, under the same rules as in PostgreSQL. */
export class MemoryTables {
  private undos: (() => void)[] | null = null;
  /** Number of changes so far. The simulation checks its invariants again when the number has grown. */
  version = 0;

  private readonly changed = (undo: () => void): void => {
    this.version += 1;
    this.undos?.push(undo);
  };

  readonly wallets = new MemoryTable<Wallet>(this.changed);
  /** The key is the wallet id. */
  readonly credentials = new MemoryTable<CredentialsRow>(this.changed);
  /** Replaced credentials that a withdrawal still holds. The key is the wallet id and the version. */
  readonly replaced = new MemoryTable<CredentialsRow>(this.changed);
  /** The key is the wallet id and the holder. */
  readonly holds = new MemoryTable<HoldRow>(this.changed);
  readonly quotes = new MemoryTable<Quote>(this.changed);
  readonly withdrawals = new MemoryTable<Withdrawal>(this.changed, (row, old, others) => {
    keepEvidence(
      row,
      old,
      this.attempts.filter(({ withdrawalId }) => withdrawalId === row.id),
    );
    keepWithdrawal(row, old, others);
  });
  readonly attempts = new MemoryTable<WithdrawalAttempt>(this.changed, keepAttempt);
  readonly transactions = new MemoryTable<Transaction>(this.changed, keepTransaction);
  readonly challenges = new MemoryTable<ChallengeRow>(this.changed);
  /** Quotes that were reported as expired before they were executed. */
  readonly closedQuotes = new MemoryTable<{ quoteId: string; closedAt: Date }>(this.changed);
  readonly locks = new MemoryTable<LockRow>(this.changed);

  /** Runs `work` as one transaction: nothing interrupts it, and it has no effect when it throws. */
  atomic<T>(work: () => T): T {
    this.undos = [];
    try {
      return work();
    } catch (error) {
      for (const undo of this.undos.reverse()) undo();
      throw error;
    } finally {
      this.undos = null;
    }
  }

  /** Does in memory what `WalletCredentials.store` does: replaced credentials stay while a withdrawal holds them. */
  storeCredentials(row: Omit<CredentialsRow, 'eraseAfter'>, keepUntil: Date): void {
    const { walletId } = row;
    const old = this.credentials.get(walletId);
    if (old === null) return this.credentials.insert(walletId, { ...row, eraseAfter: null });
    if (this.isHeld(walletId, old.version))
      this.replaced.insert(`${walletId} ${old.version}`, { ...old, eraseAfter: keepUntil });
    this.credentials.update(walletId, { ...row, eraseAfter: null });
    const wallet = this.wallets.get(walletId);
    if (wallet !== null) this.wallets.update(walletId, { credentialsSequence: wallet.credentialsSequence + 1 });
  }

  /**
   * Does in memory what `Wallets.release` does: the end of the last hold of a version erases it, if it was replaced or
   * its wallet was deleted.
   */
  release(walletId: string, holder: string): void {
    this.holds.delete(`${walletId} ${holder}`);
    for (const { version } of this.replaced.filter((row) => row.walletId === walletId)) {
      if (!this.isHeld(walletId, version)) this.replaced.delete(`${walletId} ${version}`);
    }
    const isDeleted = this.wallets.get(walletId)?.deletedAt != null;
    const current = this.credentials.get(walletId);
    if (isDeleted && current !== null && !this.isHeld(walletId, current.version)) this.credentials.delete(walletId);
  }

  /** Whether a withdrawal holds this version of the credentials. */
  private isHeld(walletId: string, version: string): boolean {
    return this.holds.find((hold) => hold.walletId === walletId && hold.version === version) !== null;
  }
}

/** Copies a row, so that changes by a caller do not change the table. Only for entities without methods. */
export function copyOf<Row extends object>(row: Row, changes: Partial<Row> = {}): Row {
  return { ...row, ...changes };
}
