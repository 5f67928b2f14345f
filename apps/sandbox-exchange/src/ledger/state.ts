import { Amount } from '#money';
import type { DepositTerms } from '../data/deposit-methods.js';
import { bulkRecordsOf } from './bulk-history.js';
import { History } from './history.js';
import type { AccessToken } from './oauth-records.js';
import { OAuthState } from './oauth-state.js';
import {
  partnerPermissions,
  type Challenge,
  type Message,
  type PartnerProfile,
  type PartnerToken,
} from './partner-records.js';
import {
  isLive,
  type Account,
  type ApiKey,
  type BulkHistory,
  type Change,
  type Deposit,
  type DepositAddress,
  type Depth,
  type LedgerEntry,
  type Order,
  type PairStatus,
  type SavedAddress,
  type Withdrawal,
} from './records.js';

/** Messages kept for each account; older ones are dropped. */
const MESSAGES_KEPT = 200;

const refidOf = ({ refid }: { refid: string }): string => refid;

/** One account with its records. Balances are computed from the ledger entries. */
export class AccountBook {
  readonly savedAddresses = new Map<string, SavedAddress>();
  readonly depositAddresses: DepositAddress[] = [];
  readonly withdrawals = new History<Withdrawal>({ idOf: refidOf, timeOf: ({ requestedAt }) => requestedAt });
  /** Refids of withdrawals that have not reached a final status. */
  readonly unsettled = new Set<string>();
  readonly deposits = new History<Deposit>({ idOf: refidOf, timeOf: ({ receivedAt }) => receivedAt });
  /** Deposit addresses that have received a deposit. */
  readonly usedAddresses = new Set<string>();
  readonly orders = new Map<string, Order>();
  /** Ids of orders that can still trade. */
  readonly openOrders = new Set<string>();
  readonly entries = new History<LedgerEntry>({ idOf: ({ id }) => id, timeOf: ({ time }) => time });
  /** Null for accounts outside the partner API. */
  profile: PartnerProfile | null = null;
  /** Refids of withdrawals, by the caller's own reference. */
  readonly references = new Map<string, string>();
  readonly challenges = new Map<string, Challenge>();
  /** Oldest first. */
  readonly messages: Message[] = [];
  readonly spentCodes = new Set<string>();
  /** While it is set, the totals lack the entries after this moment (epoch milliseconds). */
  totalsUntil: number | null = null;
  private readonly totals = new Map<string, Amount>();

  constructor(public account: Account) {}

  /** Assets that the account has ever had. */
  assets(): string[] {
    return [...this.totals.keys()];
  }

  total(asset: string): Amount {
    const total = this.totals.get(asset) ?? Amount.zero;
    const { totalsUntil } = this;
    if (totalsUntil === null) return total;
    const hidden = [...this.entries.values()].filter((entry) => entry.asset === asset && entry.time > totalsUntil);
    return total.minus(Amount.sum(hidden.map(changeOf)));
  }

  /** Funds that open orders hold. */
  held(asset: string): Amount {
    let held = Amount.zero;
    for (const id of this.openOrders) {
      const hold = this.orders.get(id)?.hold;
      if (hold?.asset === asset) held = held.plus(Amount.of(hold.amount));
    }
    return held;
  }

  free(asset: string): Amount {
    return this.total(asset).minus(this.held(asset));
  }

  /** Stores a challenge, and deletes the challenges that had expired when this one was opened. */
  keep(challenge: Challenge): void {
    for (const [id, { expiresAt }] of this.challenges) {
      if (expiresAt <= challenge.openedAt) this.challenges.delete(id);
    }
    this.challenges.set(challenge.id, challenge);
  }

  receive(message: Message): void {
    this.messages.push(message);
    if (this.messages.length > MESSAGES_KEPT) this.messages.shift();
  }

  recordDeposit(deposit: Deposit): void {
    this.deposits.set(deposit);
    this.usedAddresses.add(deposit.address);
  }

  recordWithdrawal(withdrawal: Withdrawal): void {
    const { refid, partner, clientId, status } = withdrawal;
    this.withdrawals.set(withdrawal);
    if (partner !== undefined) this.references.set(partner.reference, refid);
    if (clientId !== undefined) this.references.set(clientId, refid);
    if (status === 'Success' || status === 'Failure') this.unsettled.delete(refid);
    else this.unsettled.add(refid);
  }

  add(entry: LedgerEntry): void {
    this.entries.set(entry);
    this.totals.set(entry.asset, this.total(entry.asset).plus(changeOf(entry)));
  }
}

function changeOf({ amount, fee }: LedgerEntry): Amount {
  return Amount.of(amount).minus(Amount.of(fee));
}

/** The state that the journal describes. Only `apply` changes it, so replaying the journal gives the same state. */
export class State {
  readonly books = new Map<string, AccountBook>();
  readonly keys = new Map<string, ApiKey>();
  readonly tokens = new Map<string, PartnerToken>();
  /** Last prices by pair id, set by the control API; a pair without an entry has its start price. */
  readonly prices = new Map<string, string>();
  /** Order books by pair id; a pair without an entry offers any volume at the best prices. */
  readonly depths = new Map<string, Depth>();
  /** For each pair id, the status that the control API has set. */
  readonly pairStatuses = new Map<string, PairStatus>();

  /** For each asset code and method name, the fields of the deposit method that the control API has changed. */
  readonly depositTerms = new Map<string, Partial<DepositTerms>>();
  readonly oauth = new OAuthState();

  apply(change: Change): void {
    if (change.reset === true) this.clear();
    if (change.account !== undefined) this.applyAccount(change.account);
    if (change.key !== undefined) this.keys.set(change.key.apiKey, change.key);
    if (change.nonce !== undefined) {
      const key = this.keys.get(change.nonce.apiKey);
      if (key !== undefined) this.keys.set(key.apiKey, { ...key, lastNonce: change.nonce.lastNonce });
    }
    for (const address of change.savedAddresses ?? []) {
      this.book(address.accountId).savedAddresses.set(address.key, address);
    }
    if (change.removedAddress !== undefined) {
      this.book(change.removedAddress.accountId).savedAddresses.delete(change.removedAddress.key);
    }
    if (change.depositAddress !== undefined) {
      this.book(change.depositAddress.accountId).depositAddresses.push(change.depositAddress);
    }
    this.applyPartner(change);
    this.applyAuthorizations(change);
    this.applyMarket(change);
    this.applyMovements(change);
    if (change.history !== undefined) this.applyHistory(change.history);
    for (const entry of change.entries ?? []) this.book(entry.accountId).add(entry);
  }

  /** @throws Error when there is no such account: callers pass only ids that this state has returned */
  book(accountId: string): AccountBook {
    const book = this.books.get(accountId);
    if (book === undefined) throw new Error(`there is no account ${accountId}`);
    return book;
  }

  /** Runs `work` with the balances as they were at `time`, in epoch milliseconds. */
  balancesAt<T>(time: number, work: () => T): T {
    const books = [...this.books.values()];
    for (const book of books) book.totalsUntil = time;
    try {
      return work();
    } finally {
      for (const book of books) book.totalsUntil = null;
    }
  }

  private applyAccount(account: Account): void {
    const book = this.books.get(account.id);
    if (book === undefined) this.books.set(account.id, new AccountBook(account));
    else book.account = account;
  }

  private applyPartner({ profile, token, tokenUse, challenge, messages, spentCode }: Change): void {
    if (profile !== undefined) this.book(profile.accountId).profile = profile;
    if (token !== undefined) this.tokens.set(token.token, token);
    if (tokenUse !== undefined) {
      const used = this.tokens.get(tokenUse.token);
      if (used !== undefined) this.tokens.set(used.token, { ...used, lastUsedAt: tokenUse.at });
    }
    if (challenge !== undefined) this.book(challenge.accountId).keep(challenge);
    for (const message of messages ?? []) this.book(message.accountId).receive(message);
    if (spentCode !== undefined) this.book(spentCode.accountId).spentCodes.add(spentCode.code);
  }

  private applyAuthorizations(change: Change): void {
    this.oauth.apply(change);
    for (const access of change.accessTokens ?? []) this.applyAccess(access);
  }

  /** Adds an OAuth access token of the partner API to its API tokens, because the API accepts both. */
  private applyAccess({ token, grantId, createdAt, expiresAt, revoked }: AccessToken): void {
    const grant = this.oauth.grants.get(grantId);
    if (grant?.provider !== 'partner') return;
    const { accountId, scopes } = grant;
    this.tokens.set(token, {
      token,
      accountId,
      scopes,
      revoked,
      createdAt,
      expiresAt,
      ipAllowlist: [],
      permissions: partnerPermissions.filter((permission) => scopes.includes(permission)),
      lastUsedAt: this.tokens.get(token)?.lastUsedAt ?? null,
    });
  }

  private applyMarket({ price, depth, depositTerms, pairStatus }: Change): void {
    if (depositTerms !== undefined) {
      this.depositTerms.set(`${depositTerms.asset} ${depositTerms.method}`, depositTerms.terms);
    }
    if (price !== undefined) this.prices.set(price.pair, price.last);
    if (depth?.offers === null) this.depths.delete(depth.pair);
    else if (depth !== undefined) this.depths.set(depth.pair, depth.offers);
    if (pairStatus !== undefined) this.pairStatuses.set(pairStatus.pair, pairStatus.status);
  }

  private applyMovements({ withdrawal, deposit, order }: Change): void {
    if (withdrawal !== undefined) this.book(withdrawal.accountId).recordWithdrawal(withdrawal);
    if (deposit !== undefined) this.book(deposit.accountId).recordDeposit(deposit);
    if (order !== undefined) {
      const book = this.book(order.accountId);
      book.orders.set(order.id, order);
      if (isLive(order)) book.openOrders.add(order.id);
      else book.openOrders.delete(order.id);
    }
  }

  private applyHistory(order: BulkHistory): void {
    const book = this.book(order.accountId);
    const { deposits, withdrawals, entries } = bulkRecordsOf(order, (asset) => book.total(asset));
    for (const deposit of deposits) book.recordDeposit(deposit);
    for (const withdrawal of withdrawals) book.recordWithdrawal(withdrawal);
    for (const entry of entries) book.add(entry);
  }

  private clear(): void {
    this.books.clear();
    this.keys.clear();
    this.tokens.clear();
    this.prices.clear();
    this.depths.clear();
    this.depositTerms.clear();
    this.pairStatuses.clear();
    this.oauth.clear();
  }
}
