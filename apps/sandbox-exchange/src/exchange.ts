import { randomInt } from 'node:crypto';
import { Amount } from '#money';
import type { DepositTerms } from './data/deposit-methods.js';
import type { Journal } from './ledger/journal.js';
import {
  isLive,
  type Account,
  type ApiKey,
  type Change,
  type Deposit,
  type Depth,
  type LedgerEntry,
  type Order,
  type PairStatus,
  type Withdrawal,
} from './ledger/records.js';
import type { OAuthState } from './ledger/oauth-state.js';
import type { PartnerToken } from './ledger/partner-records.js';
import { State, type AccountBook } from './ledger/state.js';

/** A movement on one account: the balance changes by `amount` − `fee`. */
export interface Posting {
  asset: string;
  type: LedgerEntry['type'];
  refid: string;
  amount: Amount;
  fee: Amount;
}

interface Movements {
  account: Account;
  now: Date;
  postings: Posting[];
}

/** The movement would take more than the account has, or funds that its open orders hold. */
export class Overdrawn extends Error {}

/** Maximum number of accounts that the exchange keeps; a limit on memory, because tests open many. */
export const ACCOUNTS_MAX = 20_000;

const ID_ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** Postings of the balances that an account starts with. */
export function openingPostings(balances: readonly (readonly [{ id: string }, Amount])[]): Posting[] {
  return balances.map(([asset, amount]) => ({
    asset: asset.id,
    type: 'transfer',
    refid: 'opening',
    amount,
    fee: Amount.zero,
  }));
}

/**
 * The state of the exchange: its accounts, and a ledger that only grows. Each change is in the journal before a caller
 * sees it.
 */
export class Exchange {
  private readonly state = new State();
  /** Called after each change. */
  onCommit: (change: Change) => void = () => undefined;
  /** For each API key, the nonces inside the key's nonce window that were used since this process started. */
  readonly nonces = new Map<string, ReadonlySet<bigint>>();

  constructor(
    private readonly journal: Journal,
    /** Milliseconds from the request of a withdrawal to its success. */
    readonly settleMs: number,
  ) {
    for (const change of journal.replay()) this.state.apply(change);
  }

  /** Returns whether this many more accounts can be opened. */
  hasRoomFor(accounts = 1): boolean {
    return this.state.books.size + accounts <= ACCOUNTS_MAX;
  }

  get keys(): ReadonlyMap<string, ApiKey> {
    return this.state.keys;
  }

  get tokens(): ReadonlyMap<string, PartnerToken> {
    return this.state.tokens;
  }

  /** Runs `work` with the balances of all accounts as they were at `time`, in epoch milliseconds. */
  withBalancesOf<T>(time: number, work: () => T): T {
    return this.state.balancesAt(time, work);
  }

  /** Clients, grants, QR logins, identities, and API keys of Coinbase. */
  get oauth(): OAuthState {
    return this.state.oauth;
  }

  get books(): ReadonlyMap<string, AccountBook> {
    return this.state.books;
  }

  /** The last prices by pair id, of the pairs whose price the control API has changed. */
  get prices(): ReadonlyMap<string, string> {
    return this.state.prices;
  }

  /** For each pair id, the order book that the control API has set. */
  get depths(): ReadonlyMap<string, Depth> {
    return this.state.depths;
  }

  /** For each asset code and method name, the fields of deposit methods that the control API has changed. */
  get depositTerms(): ReadonlyMap<string, Partial<DepositTerms>> {
    return this.state.depositTerms;
  }

  get pairStatuses(): ReadonlyMap<string, PairStatus> {
    return this.state.pairStatuses;
  }

  findBook(accountId: string): AccountBook | null {
    return this.state.books.get(accountId) ?? null;
  }

  book({ id }: Account): AccountBook {
    return this.state.book(id);
  }

  /** @throws Error when there is no such account, which is a defect: callers pass only ids that the exchange issued */
  bookOf(accountId: string): AccountBook {
    return this.state.book(accountId);
  }

  findWithdrawal(refid: string): Withdrawal | null {
    for (const { withdrawals } of this.state.books.values()) {
      const withdrawal = withdrawals.get(refid);
      if (withdrawal !== undefined) return withdrawal;
    }
    return null;
  }

  findOrder(id: string): Order | null {
    for (const { orders } of this.state.books.values()) {
      const order = orders.get(id);
      if (order !== undefined) return order;
    }
    return null;
  }

  findDeposit(refid: string): Deposit | null {
    for (const { deposits } of this.state.books.values()) {
      const deposit = deposits.get(refid);
      if (deposit !== undefined) return deposit;
    }
    return null;
  }

  /**
   * Records one action atomically: `change`, and the ledger entries of the `movements` that belong to it.
   * @throws Overdrawn when a balance would fall below zero or below the funds held for open orders; then nothing is
   * recorded
   */
  commit(change: Omit<Change, 'entries'>, movements?: Movements): void {
    const entries = movements === undefined ? [] : this.entriesOf(movements);
    this.check(entries, change);
    const whole: Change = entries.length === 0 ? change : { ...change, entries };
    this.journal.append(whole);
    this.state.apply(whole);
    this.onCommit(whole);
  }

  /** A new id in Kraken's format: `OQCLML-BW3P3-BUCMWZ`. */
  newId(prefix: string): string {
    const part = (length: number) =>
      Array.from({ length }, () => ID_ALPHABET.charAt(randomInt(ID_ALPHABET.length))).join('');
    return `${prefix}${part(6 - prefix.length)}-${part(5)}-${part(6)}`;
  }

  reset(): void {
    this.commit({ reset: true });
    this.nonces.clear();
  }

  close(): void {
    this.journal.close();
  }

  private entriesOf({ account, now, postings }: Movements): LedgerEntry[] {
    // An account that this change opens has no book yet.
    const book = this.findBook(account.id);
    const balances = new Map<string, Amount>();
    return postings.map((posting) => {
      const before = balances.get(posting.asset) ?? book?.total(posting.asset) ?? Amount.zero;
      const balance = before.plus(posting.amount).minus(posting.fee);
      balances.set(posting.asset, balance);
      return {
        id: this.newId('L'),
        refid: posting.refid,
        accountId: account.id,
        asset: posting.asset,
        type: posting.type,
        amount: posting.amount.toString(),
        fee: posting.fee.toString(),
        balance: balance.toString(),
        time: now.getTime(),
      };
    });
  }

  /** @throws Overdrawn unless the balance of every changed asset covers the funds that open orders hold */
  private check(entries: LedgerEntry[], change: Change): void {
    const accountId = entries[0]?.accountId ?? change.order?.accountId;
    if (accountId === undefined) return;
    const book = this.findBook(accountId);
    const balances = new Map(entries.map(({ asset, balance }) => [asset, Amount.of(balance)]));
    const hold = change.order?.hold ?? null;
    if (hold !== null && !balances.has(hold.asset)) balances.set(hold.asset, book?.total(hold.asset) ?? Amount.zero);
    for (const [asset, balance] of balances) {
      if (balance.lessThan(this.heldAfter(book, asset, change))) throw new Overdrawn();
    }
  }

  /** Funds of `asset` that are held for orders after `change`. */
  private heldAfter(book: AccountBook | null, asset: string, { order }: Change): Amount {
    let held = book?.held(asset) ?? Amount.zero;
    if (order === undefined) return held;
    const before = book?.orders.get(order.id);
    const holdOf = (state: typeof before) =>
      state !== undefined && isLive(state) && state.hold?.asset === asset ? state.hold.amount : '0';
    held = held.minus(Amount.of(holdOf(before))).plus(Amount.of(holdOf(order)));
    return held;
  }
}
