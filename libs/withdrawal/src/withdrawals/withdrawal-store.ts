import { Injectable } from '@nestjs/common';
import { isUUID } from 'class-validator';
import { In, type EntityManager } from 'typeorm';
import type { ProjectContext } from '#access';
import { mayBeOneAccount } from '#exchange';
import { Config } from '#platform/config';
import {
  acrossProjects,
  Database,
  LOCK_TIMEOUT,
  sqlRefusalOf,
  toStorable,
  type EntityStatement,
  type NamedStatement,
} from '#platform/database';
import { Transactions } from '#transaction';
import { Wallets, type Wallet } from '#wallet';
import { RestoredDatabase } from '../epoch/restored-database.js';
import type { Quote } from '../quote/quote.entity.js';
import { Quotes } from '../quote/quotes.js';
import { ExecutionLocks } from './execution-locks.js';
import { duplicateKeysOf, findDuplicate, refuseDisputed, type DuplicateKeys } from './duplicate-keys.js';
import { WithdrawalAttempt } from './withdrawal-attempt.entity.js';
import { newAttempt, newWithdrawal, type AttemptDraft, type ClaimDraft, type TimedClaim } from './new-withdrawal.js';
import { Withdrawal } from './withdrawal.entity.js';
import { LockLost, UnresolvedDuplicate } from './execution.errors.js';
import { hasSameCredentials, type Candidates } from './exchange-records.js';
import { canSubmit } from './withdrawal-state.js';
import { requireSameTag } from './withdrawal-tag.js';
import { WithdrawalTopics } from './withdrawal-topics.js';
import type { Refusal } from './refusal.js';
import { QuoteExpired, WithdrawalRateLimitExceeded } from '../quote/withdrawal.errors.js';

const MINUTE_MS = 60_000;
/** The unique keys that refuse a second unresolved attempt with an equal duplicate key. */
const UNIQUE_KEYS = ['withdrawal_attempts_one_debit', 'withdrawal_attempts_one_receipt'];
const OF_QUOTE: EntityStatement<Withdrawal> = {
  name: 'withdrawal of a quote',
  of: Withdrawal,
  where: 'project_id = $1 and quote_id = $2',
};
const IS_OPEN: NamedStatement = {
  name: 'quote is open',
  text: `select exists (select from closed_quotes where quote_id = $3) as is_closed,
           (select count(*) from withdrawals where wallet_id = $1 and created_at > $2) as count`,
};
const IS_CLOSED: NamedStatement = {
  name: 'quote is closed',
  text: 'select from closed_quotes where quote_id = $1',
};
const OWNERS = `select wallet_id as "walletId", credential_version as "credentialVersion", exchange_id as "exchangeId"
   from withdrawals where mode = $1 and exchange = $2 and id <> $3 and exchange_id = any($4)`;
/** Maximum number of withdrawals that one sweep enqueues. */
export const SWEEP_BATCH = 100;

type RecordOwner = Pick<Withdrawal, 'walletId' | 'credentialVersion'> & { exchangeId: string };

/** `attempt` is present when this call may send; null = another call has executed the quote or is executing it. */
export type BeginResult = { withdrawal: Withdrawal; attempt: WithdrawalAttempt | null };

/** Claims quotes and stores the intent to send: the rows that make a second payment impossible. */
@Injectable()
export class WithdrawalStore {
  constructor(
    private readonly db: Database,
    private readonly config: Config,
    private readonly quotes: Quotes,
    private readonly wallets: Wallets,
    private readonly transactions: Transactions,
    private readonly restored: RestoredDatabase,
    private readonly locks: ExecutionLocks,
    private readonly topics: WithdrawalTopics,
  ) {}

  async findByQuote(projectId: string, quoteId: string): Promise<Withdrawal | null> {
    const [withdrawal] = await this.db.readEntities(OF_QUOTE, [projectId, quoteId]);
    return withdrawal ?? null;
  }

  /**
   * Reads the wallet, the quote and its withdrawal. The quote is null for an id that is malformed, unknown, or of
   * another wallet; callers cannot distinguish these cases.
   * @throws WalletNotFound
   */
  async findExecution(
    project: Pick<ProjectContext, 'id'>,
    externalWalletId: string,
    quoteId: string,
  ): Promise<{ wallet: Wallet; quote: Quote | null; withdrawal: Withdrawal | null }> {
    if (!isUUID(quoteId))
      return { wallet: await this.wallets.get(project, externalWalletId), quote: null, withdrawal: null };
    const wallet = await this.wallets.get(project, externalWalletId);
    const quote = await this.quotes.findOfProject(project.id, quoteId);
    const withdrawal = await this.findByQuote(project.id, quoteId);
    const isOfWallet = quote?.walletId === wallet.id || (await this.isOfEarlierWallet(withdrawal, wallet));
    return isOfWallet ? { wallet, quote, withdrawal } : { wallet, quote: null, withdrawal: null };
  }

  /**
   * Whether the quote was executed for an earlier wallet, which had the same externalWalletId and was deleted. For the
   * caller both are one wallet. Without the recorded result, the caller could request a new quote and pay twice.
   */
  private async isOfEarlierWallet(withdrawal: Withdrawal | null, wallet: Wallet): Promise<boolean> {
    if (withdrawal === null || canSubmit(withdrawal.state)) return false;
    return this.wallets.hasExternalId({ id: wallet.projectId }, withdrawal.walletId, wallet.externalId);
  }

  /** Whether the expiry of the quote is stored. A quote with a withdrawal is never closed. */
  async isClosed(quoteId: string): Promise<boolean> {
    return (await this.db.read(IS_CLOSED, [quoteId])).length > 0;
  }

  find(id: string): Promise<Withdrawal | null> {
    return this.db.repository(Withdrawal).findOneBy({ id });
  }

  /** Finds the attempt that has moved money or may have. Every other attempt is known not to have been executed. */
  findLiveAttempt(withdrawalId: string): Promise<WithdrawalAttempt | null> {
    const outcome = In(['in_flight', 'unknown', 'accepted', 'disputed']);
    return this.db.repository(WithdrawalAttempt).findOneBy({ withdrawalId, outcome });
  }

  /** Counts the attempts whose code the exchange refused. */
  countWrongCodes(withdrawalId: string): Promise<number> {
    return this.db
      .repository(WithdrawalAttempt)
      .createQueryBuilder('a')
      .where(`a.withdrawal_id = :withdrawalId and a.outcome = 'verification_required'`, { withdrawalId })
      .andWhere(`a.answer->>'withCode' = 'true'`)
      .getCount();
  }

  /**
   * Claims the quote and stores the intent to send, in one transaction. Of all replicas and repeats, exactly one call
   * gets an attempt and may send once. The unique keys and the row locks enforce that, not this code.
   * @throws UnresolvedDuplicate when an attempt with the same duplicate key is still unresolved; LockLost;
   *   WithdrawalRateLimitExceeded; WalletNotFound when the wallet was deleted; CredentialsReplaced; the errors of
   *   `requireSameTag` and `RestoredDatabase.admit`.
   */
  async begin(quote: Quote, wallet: Wallet, claim: ClaimDraft, draft: AttemptDraft): Promise<BeginResult> {
    const keys = duplicateKeysOf({ ...quote, tag: claim.tag, externalWalletId: wallet.externalId });
    try {
      return await this.db.transaction(async (tx) => {
        const withdrawal = await this.claim(tx, quote, wallet, { ...claim, now: draft.startedAt });
        if (!canSubmit(withdrawal.state)) return { withdrawal, attempt: null };
        await refuseDisputed(this.db, tx, keys);
        const attempt = await this.insertAttempt(tx, withdrawal, draft, keys);
        return { withdrawal: { ...withdrawal, state: 'submitting' as const, errorCode: null }, attempt };
      });
    } catch (error) {
      const { code, constraint = '' } = sqlRefusalOf(error);
      if (UNIQUE_KEYS.includes(constraint)) throw new UnresolvedDuplicate(await findDuplicate(this.db, keys), error);
      // Another transaction has locked the wallet for longer than DATABASE_LOCK_TIMEOUT_MS. Nothing was stored.
      if (code === LOCK_TIMEOUT) throw new LockLost(error);
      throw error;
    }
  }

  /**
   * Checks for a duplicate without claiming the quote, so `begin` may still throw the error afterwards.
   * @throws UnresolvedDuplicate when `begin` would throw it now
   */
  async refuseDuplicate(quote: Quote, wallet: Wallet, tag: string | null): Promise<void> {
    const keys = duplicateKeysOf({ ...quote, tag, externalWalletId: wallet.externalId });
    const duplicate = await findDuplicate(this.db, keys);
    if (duplicate !== null) throw new UnresolvedDuplicate(duplicate, undefined);
  }

  /**
   * Claims the quote for a withdrawal that a person has to verify first. Sends nothing; records the refusal as the
   * result and publishes it to the listeners. Does nothing when another call has already recorded a later state.
   * @throws LockLost; WithdrawalRateLimitExceeded; WalletNotFound when the wallet was deleted; CredentialsReplaced; the
   *   errors of `requireSameTag` and `RestoredDatabase.admit`.
   */
  async awaitVerification(quote: Quote, wallet: Wallet, claim: TimedClaim, refusal: Refusal): Promise<Withdrawal> {
    const { now } = claim;
    const { code, message, result } = refusal;
    return this.db.transaction(async (tx) => {
      const withdrawal = await this.claim(tx, quote, wallet, claim);
      if (!canSubmit(withdrawal.state)) return withdrawal;
      await this.db.query(
        `update withdrawals set state = 'verification_required', updated_at = $2, next_check_at = $3,
           state_changed_at = case when state = 'verification_required' then state_changed_at else $2 end,
           error_code = $4, error_message = $5, error_result = $6
         where id = $1`,
        [withdrawal.id, now, quote.expiresAt, code, message, result === null ? null : toStorable(result)],
        tx,
      );
      await this.topics.refused(tx, quote.id, refusal);
      return {
        ...withdrawal,
        state: 'verification_required',
        errorCode: code,
        errorMessage: message,
        errorResult: result,
      };
    });
  }

  /**
   * Claims the withdrawal of the quote, and keeps the credentials of the quote even if the wallet gets other ones.
   * Returns a withdrawal unchanged if it can no longer be submitted. In all other cases, this call must hold the
   * execution lock, `RestoredDatabase.admit` must accept the quote, and the wallet must still have the credentials of
   * the quote; otherwise it throws.
   */
  private async claim(tx: EntityManager, quote: Quote, wallet: Wallet, claim: TimedClaim): Promise<Withdrawal> {
    await this.wallets.lockConnected(tx, wallet.id);
    const [existing = null] = await this.db.readEntities(OF_QUOTE, [quote.projectId, quote.id], tx);
    if (existing !== null) requireSameTag(existing, claim.tag);
    if (existing !== null && !canSubmit(existing.state)) return existing;
    await this.locks.requireHeld(tx, quote.id, claim.lockHolder);
    await this.restored.admit(tx, quote, wallet);
    const holder = existing?.id ?? claim.withdrawalId;
    await this.wallets.hold(tx, wallet, { holder, version: quote.credentialVersion });
    if (existing !== null) return existing;
    await this.checkOpen(tx, quote, wallet, claim.now);
    const withdrawal = newWithdrawal(quote, wallet, claim);
    await this.insert(tx, quote, wallet, withdrawal);
    return withdrawal;
  }

  /** Inserts the claim and its transaction. */
  private async insert(tx: EntityManager, quote: Quote, wallet: Wallet, withdrawal: Withdrawal): Promise<void> {
    await this.transactions.recordWithdrawal(tx, {
      id: withdrawal.transactionId,
      projectId: quote.projectId,
      walletId: wallet.id,
      externalWalletId: wallet.externalId,
      exchange: quote.exchange,
      asset: quote.asset,
      amount: quote.amountNoFee,
      fee: quote.fee,
      feeAsset: quote.asset,
      amountInFiat: quote.inDollars(quote.amountNoFee) ?? undefined,
      feeInFiat: quote.inDollars(quote.fee) ?? undefined,
      addressTo: quote.address,
      tag: withdrawal.tag,
      network: quote.network,
      occurredAt: withdrawal.createdAt,
    });
    await this.db.insertEntity(tx, withdrawal);
  }

  /**
   * Checks that the quote is open and the rate allows a withdrawal. The lock on the wallet's row serializes this check
   * for one wallet, so that the count is exact.
   * @throws QuoteExpired when a call has already recorded that the quote expired; WithdrawalRateLimitExceeded
   */
  private async checkOpen(tx: EntityManager, quote: Quote, wallet: Wallet, now: Date): Promise<void> {
    const [row] = await this.db.read<{ is_closed: boolean; count: string }>(
      IS_OPEN,
      [wallet.id, new Date(now.getTime() - MINUTE_MS), quote.id],
      tx,
    );
    if (row?.is_closed !== false) throw new QuoteExpired(quote.expiresAt);
    if (Number(row.count) >= this.config.values.WITHDRAWAL_RATE_PER_MINUTE) {
      throw new WithdrawalRateLimitExceeded(MINUTE_MS / 1_000);
    }
  }

  /** Inserts the attempt, and moves the withdrawal to `submitting`. */
  private async insertAttempt(
    tx: EntityManager,
    withdrawal: Withdrawal,
    draft: AttemptDraft,
    keys: DuplicateKeys,
  ): Promise<WithdrawalAttempt> {
    const attempt = newAttempt(withdrawal, draft, keys);
    const insert = this.db.insertOf(attempt);
    const next = insert.values.length;
    const text = `with attempt as (${insert.text})
       update withdrawals set state = 'submitting', state_changed_at = $${next + 1}, updated_at = $${next + 1},
         next_check_at = $${next + 2}, error_code = null, error_message = null, error_result = null
       where id = $${next + 3}`;
    await this.db.read(
      { name: 'begin attempt', text },
      [...insert.values, draft.startedAt, draft.leaseUntil, withdrawal.id],
      tx,
    );
    return attempt;
  }

  /** Returns the moment at which the quote expires. */
  async quoteExpiry(quoteId: string): Promise<Date> {
    const [row] = await this.db.query<{ expires_at: Date }>(`select expires_at from quotes where id = $1`, [quoteId]);
    if (row === undefined) throw new Error(`the quote ${quoteId} of a withdrawal does not exist`);
    return row.expires_at;
  }

  /**
   * Returns which of the exchange's records may be this attempt's. Withdrawals of all wallets count, because two
   * wallets may be the same account.
   */
  async findCandidates(
    withdrawal: Withdrawal,
    { knownIds }: WithdrawalAttempt,
    exchangeIds: string[],
  ): Promise<Candidates> {
    const { id, mode, exchange } = withdrawal;
    const owners = await acrossProjects(() => this.db.query<RecordOwner>(OWNERS, [mode, exchange, id, exchangeIds]));
    const linked = new Set(owners.map(({ exchangeId }) => exchangeId));
    const others = owners.filter((owner) => !hasSameCredentials(withdrawal, owner));
    const ofOthers = new Set(others.map(({ exchangeId }) => exchangeId));
    const later = exchangeIds.filter((exchangeId) => !knownIds.includes(exchangeId));
    return {
      unlinked: later.filter((exchangeId) => !linked.has(exchangeId)),
      ofOtherCredentials: later.filter((exchangeId) => ofOthers.has(exchangeId)),
    };
  }

  /** Stores the ids of the records that may be this attempt's. `rivalry` compares them between wallets. */
  async recordSeen(attemptId: string, exchangeIds: readonly string[], now: Date): Promise<void> {
    await this.db.query(
      `update withdrawal_attempts set seen_ids = $2, seen_at = $3,
         seen_since = case when seen_ids = $2 then seen_since else $3 end
       where id = $1 and outcome = 'unknown'`,
      [attemptId, exchangeIds, now],
    );
  }

  /**
   * Whether a record that matches this withdrawal may belong to an equal withdrawal of another wallet of any project,
   * because both wallets may be the same account. One equal amount suffices, because some exchanges list the amount
   * with the fee and others without it. `same_account`: the listing of the other wallet has the same record.
   * `undecided`: the other withdrawal is being sent, or its history was not listed again since this wallet's history
   * showed the record.
   * @param attempt the attempt as it was stored before this check.
   */
  async rivalry(
    withdrawal: Withdrawal,
    { seenIds, seenSince }: WithdrawalAttempt,
    exchangeId: string,
  ): Promise<'none' | 'undecided' | 'same_account'> {
    const { mode, exchange, walletId, asset, amountWithFee, amountNoFee, address } = withdrawal;
    const equal = await acrossProjects(() =>
      this.db.query<Pick<WithdrawalAttempt, 'seenIds' | 'seenAt'> & { address: string }>(
        `select a.seen_ids as "seenIds", a.seen_at as "seenAt", o.address
         from withdrawals o join withdrawal_attempts a on a.withdrawal_id = o.id
         where o.state in ('submitting', 'unknown', 'review') and a.outcome in ('in_flight', 'unknown', 'disputed')
           and o.mode = $1 and o.exchange = $2 and o.wallet_id <> $3 and o.asset = $4
           and (o.amount_with_fee = $5 or o.amount_no_fee = $6) and not $7 = any(a.known_ids)`,
        [mode, exchange, walletId, asset, amountWithFee.toString(), amountNoFee.toString(), exchangeId],
      ),
    );
    const rivals = equal.filter((other) => mayBeOneAccount(other.address, address));
    if (rivals.length === 0) return 'none';
    if (rivals.some((rival) => rival.seenIds?.includes(exchangeId) === true)) return 'same_account';
    // An account may list a record late. So the listing of the other account counts only when it came at least this gap
    // after this account began to show the record.
    const shownSince = seenIds?.includes(exchangeId) === true ? seenSince : null;
    const { WITHDRAWAL_CLEAN_LISTING_GAP_MS: gapMs } = this.config.constants;
    const isListed = (rival: { seenAt: Date | null }): boolean =>
      shownSince !== null && rival.seenAt !== null && rival.seenAt.getTime() >= shownSince.getTime() + gapMs;
    return rivals.every(isListed) ? 'none' : 'undecided';
  }

  /** Takes withdrawals that are due for a check. No other worker gets them before their lease ends. */
  async takeDue(now: Date): Promise<string[]> {
    const rows = await this.db.query<{ id: string }>(
      `update withdrawals set next_check_at = $2, check_count = check_count + 1
       where id in (select id from withdrawals where next_check_at <= $1 order by next_check_at
                    limit $3 for update skip locked)
       returning id`,
      [now, new Date(now.getTime() + this.config.constants.QUEUE_LEASE_MS), SWEEP_BATCH],
    );
    return rows.map((row) => row.id);
  }
}
