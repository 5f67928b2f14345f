import type { ProjectContext } from '#access';
import { mayBeOneAccount } from '#exchange';
import type { Clock } from '#platform/clock';
import type { Config } from '#platform/config';
import { toStorable } from '#platform/database';
import { Transaction } from '#transaction';
import { CredentialsReplaced, WalletNotFound, type Wallet } from '#wallet';
import { LockLost, UnresolvedDuplicate } from '../../withdrawals/execution.errors.js';
import { duplicateKeysOf, type DuplicateKeys } from '../../withdrawals/duplicate-keys.js';
import type { WithdrawalAttempt } from '../../withdrawals/withdrawal-attempt.entity.js';
import {
  newAttempt,
  newWithdrawal,
  type AttemptDraft,
  type ClaimDraft,
  type TimedClaim,
} from '../../withdrawals/new-withdrawal.js';
import { hasSameCredentials, type Candidates } from '../../withdrawals/exchange-records.js';
import type { Withdrawal } from '../../withdrawals/withdrawal.entity.js';
import { canSubmit } from '../../withdrawals/withdrawal-state.js';
import { requireSameTag } from '../../withdrawals/withdrawal-tag.js';
import type { Refusal } from '../../withdrawals/refusal.js';
import { SWEEP_BATCH, type BeginResult, type WithdrawalStore } from '../../withdrawals/withdrawal-store.js';
import type { Quote } from '../../quote/quote.entity.js';
import { QuoteExpired, WithdrawalRateLimitExceeded } from '../../quote/withdrawal.errors.js';
import { isLive, isUnresolved, RuleBroken } from './memory-rules.js';
import { MemoryQuotes, MemoryWallets } from './memory-lookups.js';
import { copyOf, type MemoryTables } from './memory-tables.js';

const MINUTE_MS = 60_000;
const DUPLICATE_KEYS = ['withdrawal_attempts_one_debit', 'withdrawal_attempts_one_receipt'];

/** The methods of `WithdrawalStore` that executing and reconciling call. */
export type StorePort = Pick<
  WithdrawalStore,
  | 'findExecution'
  | 'findByQuote'
  | 'isClosed'
  | 'find'
  | 'findLiveAttempt'
  | 'countWrongCodes'
  | 'begin'
  | 'refuseDuplicate'
  | 'awaitVerification'
  | 'quoteExpiry'
  | 'findCandidates'
  | 'recordSeen'
  | 'rivalry'
  | 'takeDue'
>;

/** `WithdrawalStore` in memory; a test runs it next to the real class and compares the results. */
export class MemoryWithdrawalStore implements StorePort {
  constructor(
    private readonly tables: MemoryTables,
    private readonly config: Config,
    private readonly clock: Clock,
  ) {}

  async findExecution(
    project: Pick<ProjectContext, 'id'>,
    externalWalletId: string,
    quoteId: string,
  ): ReturnType<WithdrawalStore['findExecution']> {
    const wallet = await new MemoryWallets(this.tables).get(project, externalWalletId);
    const quote = await new MemoryQuotes(this.tables).findOfProject(project.id, quoteId);
    const withdrawal = quote && (await this.findByQuote(project.id, quoteId));
    const isExecuted = withdrawal !== null && !canSubmit(withdrawal.state);
    const isOfWallet =
      quote?.walletId === wallet.id ||
      (isExecuted && this.tables.wallets.get(withdrawal.walletId)?.externalId === externalWalletId);
    return isOfWallet ? { wallet, quote, withdrawal } : { wallet, quote: null, withdrawal: null };
  }

  async findByQuote(projectId: string, quoteId: string): Promise<Withdrawal | null> {
    const row = this.tables.withdrawals.find(
      (withdrawal) => withdrawal.quoteId === quoteId && withdrawal.projectId === projectId,
    );
    return row && copyOf(row);
  }

  async isClosed(quoteId: string): Promise<boolean> {
    return this.tables.closedQuotes.get(quoteId) !== null;
  }

  async find(id: string): Promise<Withdrawal | null> {
    const row = this.tables.withdrawals.get(id);
    return row && copyOf(row);
  }

  async findLiveAttempt(withdrawalId: string): Promise<WithdrawalAttempt | null> {
    const row = this.tables.attempts.find((attempt) => attempt.withdrawalId === withdrawalId && isLive(attempt));
    return row && copyOf(row);
  }

  async countWrongCodes(id: string): Promise<number> {
    return this.tables.attempts.filter(
      ({ withdrawalId, outcome, answer }) =>
        withdrawalId === id && outcome === 'verification_required' && answer?.['withCode'] === true,
    ).length;
  }

  async begin(quote: Quote, wallet: Wallet, claim: ClaimDraft, draft: AttemptDraft): Promise<BeginResult> {
    const keys = duplicateKeysOf({ ...quote, tag: claim.tag, externalWalletId: wallet.externalId });
    try {
      return this.tables.atomic(() => {
        const withdrawal = this.claimed(quote, wallet, { ...claim, now: draft.startedAt });
        if (!canSubmit(withdrawal.state)) return { withdrawal, attempt: null };
        const attempt = newAttempt(withdrawal, draft, keys);
        this.tables.attempts.insert(attempt.id, attempt);
        this.tables.withdrawals.update(withdrawal.id, {
          state: 'submitting',
          stateChangedAt: draft.startedAt,
          updatedAt: draft.startedAt,
          nextCheckAt: draft.leaseUntil,
          errorCode: null,
          errorMessage: null,
          errorResult: null,
        });
        return {
          withdrawal: copyOf(withdrawal, { state: 'submitting', errorCode: null }),
          attempt: copyOf(attempt),
        };
      });
    } catch (error) {
      if (!(error instanceof RuleBroken && DUPLICATE_KEYS.includes(error.constraint))) throw error;
      throw new UnresolvedDuplicate(this.findDuplicate(keys), error);
    }
  }

  async awaitVerification(
    quote: Quote,
    wallet: Wallet,
    claim: TimedClaim,
    { code, message, result }: Refusal,
  ): Promise<Withdrawal> {
    return this.tables.atomic(() => {
      const { now } = claim;
      const withdrawal = this.claimed(quote, wallet, claim);
      if (!canSubmit(withdrawal.state)) return withdrawal;
      this.tables.withdrawals.update(withdrawal.id, {
        state: 'verification_required',
        updatedAt: now,
        nextCheckAt: quote.expiresAt,
        stateChangedAt: withdrawal.state === 'verification_required' ? withdrawal.stateChangedAt : now,
        errorCode: code,
        errorMessage: message,
        errorResult: stored(result),
      });
      return copyOf(withdrawal, {
        state: 'verification_required',
        errorCode: code,
        errorMessage: message,
        errorResult: result,
      });
    });
  }

  async quoteExpiry(quoteId: string): Promise<Date> {
    const quote = this.tables.quotes.get(quoteId);
    if (quote === null) throw new Error(`the quote ${quoteId} of a withdrawal does not exist`);
    return quote.expiresAt;
  }

  async findCandidates(withdrawal: Withdrawal, attempt: WithdrawalAttempt, exchangeIds: string[]): Promise<Candidates> {
    const found: Candidates = { unlinked: [], ofOtherCredentials: [] };
    for (const exchangeId of exchangeIds.filter((id) => !attempt.knownIds.includes(id))) {
      const owner = this.tables.withdrawals.find(
        (other) => other.id !== withdrawal.id && isAtSameExchange(withdrawal, other) && other.exchangeId === exchangeId,
      );
      if (owner === null) found.unlinked.push(exchangeId);
      else if (!hasSameCredentials(withdrawal, owner)) found.ofOtherCredentials.push(exchangeId);
    }
    return found;
  }

  async recordSeen(attemptId: string, exchangeIds: readonly string[], now: Date): Promise<void> {
    const attempt = this.tables.attempts.get(attemptId);
    if (attempt?.outcome !== 'unknown') return;
    const isSame = attempt.seenIds?.join() === exchangeIds.join();
    const seenSince = isSame ? attempt.seenSince : now;
    this.tables.attempts.update(attemptId, { seenIds: [...exchangeIds], seenAt: now, seenSince });
  }

  async rivalry(
    withdrawal: Withdrawal,
    { seenIds, seenSince }: WithdrawalAttempt,
    exchangeId: string,
  ): Promise<'none' | 'undecided' | 'same_account'> {
    const rivals = this.tables.attempts.filter((attempt) => {
      const other = isUnresolved(attempt) ? this.tables.withdrawals.get(attempt.withdrawalId) : null;
      return other !== null && isRival(withdrawal, other) && !attempt.knownIds.includes(exchangeId);
    });
    if (rivals.length === 0) return 'none';
    if (rivals.some((rival) => rival.seenIds?.includes(exchangeId) === true)) return 'same_account';
    const shownSince = seenIds?.includes(exchangeId) === true ? seenSince : null;
    const { WITHDRAWAL_CLEAN_LISTING_GAP_MS: gapMs } = this.config.constants;
    const isListed = (rival: WithdrawalAttempt): boolean =>
      shownSince !== null && rival.seenAt !== null && rival.seenAt.getTime() >= shownSince.getTime() + gapMs;
    return rivals.every(isListed) ? 'none' : 'undecided';
  }

  async takeDue(now: Date): Promise<string[]> {
    const timeOf = ({ nextCheckAt }: Withdrawal): number => nextCheckAt?.getTime() ?? Infinity;
    const due = this.tables.withdrawals
      .filter((withdrawal) => timeOf(withdrawal) <= now.getTime())
      .sort((a, b) => timeOf(a) - timeOf(b))
      .slice(0, SWEEP_BATCH);
    const nextCheckAt = new Date(now.getTime() + this.config.constants.QUEUE_LEASE_MS);
    for (const { id, checkCount } of due) {
      this.tables.withdrawals.update(id, { nextCheckAt, checkCount: checkCount + 1 });
    }
    return due.map(({ id }) => id);
  }

  /**
   * Returns the withdrawal of the quote. A withdrawal that can be submitted is returned only while this call holds the
   * lock.
   */
  private claimed(quote: Quote, wallet: Wallet, claim: TimedClaim): Withdrawal {
    const { tables } = this;
    const connected = tables.wallets.get(wallet.id);
    if (connected === null || connected.deletedAt !== null) throw new WalletNotFound();
    const existing = tables.withdrawals.find(({ quoteId }) => quoteId === quote.id);
    if (existing !== null) requireSameTag(existing, claim.tag);
    if (existing !== null && !canSubmit(existing.state)) return copyOf(existing);
    if (tables.locks.get(quote.id)?.holder !== claim.lockHolder) throw new LockLost();
    this.hold(wallet.id, existing?.id ?? claim.withdrawalId, quote.credentialVersion);
    return copyOf(existing ?? this.insert(quote, wallet, claim));
  }

  private insert(quote: Quote, wallet: Wallet, claim: TimedClaim): Withdrawal {
    const { tables } = this;
    if (tables.closedQuotes.get(quote.id) !== null) throw new QuoteExpired(quote.expiresAt);
    const since = claim.now.getTime() - MINUTE_MS;
    const recent = tables.withdrawals.filter(
      (withdrawal) => withdrawal.walletId === wallet.id && withdrawal.createdAt.getTime() > since,
    );
    if (recent.length >= this.config.values.WITHDRAWAL_RATE_PER_MINUTE) {
      throw new WithdrawalRateLimitExceeded(MINUTE_MS / 1_000);
    }
    tables.transactions.insert(claim.transactionId, transactionOf(quote, wallet, claim, this.clock.now()));
    const withdrawal = newWithdrawal(quote, wallet, claim);
    tables.withdrawals.insert(withdrawal.id, withdrawal);
    return withdrawal;
  }

  private hold(walletId: string, holder: string, version: string): void {
    const { credentials, holds } = this.tables;
    if (credentials.get(walletId)?.version !== version) throw new CredentialsReplaced();
    const key = `${walletId} ${holder}`;
    if (holds.get(key) === null) holds.insert(key, { walletId, holder, version });
  }

  async refuseDuplicate(quote: Quote, wallet: Wallet, tag: string | null): Promise<void> {
    const duplicate = this.findDuplicate(duplicateKeysOf({ ...quote, tag, externalWalletId: wallet.externalId }));
    if (duplicate !== null) throw new UnresolvedDuplicate(duplicate, undefined);
  }

  private findDuplicate({ debitKey, receiptKey }: DuplicateKeys): string | null {
    const duplicate = this.tables.attempts.find(
      (attempt) => isUnresolved(attempt) && (attempt.debitKey === debitKey || attempt.receiptKey === receiptKey),
    );
    const withdrawal = duplicate && this.tables.withdrawals.get(duplicate.withdrawalId);
    return withdrawal?.transactionId ?? null;
  }
}

/** Converts a value as a jsonb column does. */
export function stored<T extends object | null>(value: T): T {
  return value === null ? value : (JSON.parse(toStorable(value)) as T);
}

function isAtSameExchange(withdrawal: Withdrawal, other: Withdrawal): boolean {
  return other.mode === withdrawal.mode && other.exchange === withdrawal.exchange;
}

/** Whether `other` is an equal payment of another wallet of any project. */
function isRival(withdrawal: Withdrawal, other: Withdrawal): boolean {
  return (
    isAtSameExchange(withdrawal, other) &&
    other.walletId !== withdrawal.walletId &&
    other.asset === withdrawal.asset &&
    (other.amountWithFee.equals(withdrawal.amountWithFee) || other.amountNoFee.equals(withdrawal.amountNoFee)) &&
    mayBeOneAccount(other.address, withdrawal.address)
  );
}

function transactionOf(quote: Quote, wallet: Wallet, claim: TimedClaim, now: Date): Transaction {
  const { projectId, exchange, asset, network, address, amountNoFee, fee } = quote;
  return Object.assign(new Transaction(), {
    id: claim.transactionId,
    projectId,
    exchange,
    asset,
    network,
    fee,
    walletId: wallet.id,
    externalWalletId: wallet.externalId,
    exchangeTransactionId: null,
    type: 'withdrawal' as const,
    direction: 'out' as const,
    status: 'pending' as const,
    amount: amountNoFee,
    feeAsset: asset,
    amountInFiat: quote.inDollars(amountNoFee),
    feeInFiat: quote.inDollars(fee),
    fiatCurrency: quote.priceUsd === null ? null : ('USD' as const),
    addressTo: address,
    addressFrom: null,
    tag: claim.tag,
    hash: null,
    occurredAt: claim.now,
    createdAt: now,
    updatedAt: now,
  });
}
