import { Inject, Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { ExchangeWithdrawal } from '#exchange';
import { Database, toStorable } from '#platform/database';
import { logFailedWork } from '#platform/errors';
import { LOGGER, type Logger } from '#platform/logging';
import { Transactions } from '#transaction';
import { Wallets } from '#wallet';
import type { WithdrawalAttempt } from './withdrawal-attempt.entity.js';
import { RecordTaken } from './execution.errors.js';
import { canSubmit, isSettled, transactionStatusOf, type WithdrawalState } from './withdrawal-state.js';
import { WithdrawalTopics, type Refusal } from './withdrawal-topics.js';
import { Withdrawal } from './withdrawal.entity.js';
import { Quote } from '../quote/quote.entity.js';
import { movedOf } from './withdrawal-amounts.js';

export type { Refusal };

/**
 * Writes down what became of a withdrawal, and tells the listeners of its quote. Each method is one transaction that
 * starts from the state it expects and does nothing when the row has moved on; each says whether it did.
 */
@Injectable()
export class WithdrawalTransitions {
  constructor(
    protected readonly db: Database,
    private readonly wallets: Wallets,
    protected readonly transactions: Transactions,
    private readonly topics: WithdrawalTopics,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * The exchange has it under `exchangeId`: from its answer, or found in its history.
   * @throws RecordTaken when that is the id of another withdrawal; nothing is written then.
   */
  async accepted(
    w: Withdrawal,
    attempt: WithdrawalAttempt,
    exchangeId: string,
    answer: object,
    now: Date,
  ): Promise<boolean> {
    try {
      return await this.link(w, attempt, exchangeId, answer, now);
    } catch (error) {
      throw isRecordConflict(error) ? new RecordTaken(exchangeId, error) : error;
    }
  }

  private link(
    w: Withdrawal,
    attempt: WithdrawalAttempt,
    exchangeId: string,
    answer: object,
    now: Date,
  ): Promise<boolean> {
    return this.write(w, async (tx) => {
      const decided = await this.decide(tx, attempt, ['in_flight', 'unknown'], 'accepted', now, answer, exchangeId);
      if (!decided) return false;
      // Of one whose outcome was unknown the listeners have been told already that it may have left.
      if (await this.move(tx, w, ['submitting'], 'submitted', now, now, exchangeId)) {
        await this.topics.mayHaveLeft(tx, w);
      } else {
        await this.move(tx, w, ['unknown', 'review'], 'submitted', now, now, exchangeId);
      }
      await this.transactions.link(tx, w.transactionId, { exchangeTransactionId: exchangeId });
      return true;
    });
  }

  /** A definite refusal: nothing moved, and the answer is recorded for ever. */
  rejected(w: Withdrawal, attempt: WithdrawalAttempt, refusal: Refusal, answer: object, now: Date): Promise<boolean> {
    return this.write(w, async (tx) => {
      if (!(await this.decide(tx, attempt, ['in_flight'], 'rejected', now, answer))) return false;
      return this.reject(tx, w, ['submitting'], refusal, now);
    });
  }

  /** Nothing was ever sent and nothing will be: the quote has expired meanwhile. */
  neverSent(w: Withdrawal, refusal: Refusal, now: Date): Promise<boolean> {
    return this.write(w, (tx) => this.closeUnsent(tx, w, refusal, now));
  }

  /** The end of a quote, written down before it is told: from then on no process executes it, whatever its clock says. */
  expired(quote: Pick<Quote, 'id' | 'walletId'>, refusal: Refusal, now: Date): Promise<void> {
    return this.db.transaction(async (tx) => {
      await this.wallets.lock(tx, quote.walletId);
      const withdrawal = await tx.findOneBy(Withdrawal, { quoteId: quote.id });
      if (withdrawal !== null) {
        await this.closeUnsent(tx, withdrawal, refusal, now);
        return;
      }
      const closed = await this.db.query(
        `insert into closed_quotes (quote_id, closed_at) values ($1, $2) on conflict do nothing returning quote_id`,
        [quote.id, now],
        tx,
      );
      if (closed.length > 0) await this.topics.refused(tx, quote.id, refusal);
    });
  }

  /** The exchange wants a verification first: nothing moved; a later call with the code makes a new attempt. */
  verificationRequired(
    w: Withdrawal,
    attempt: WithdrawalAttempt,
    refusal: Refusal,
    answer: object,
    { now, until }: { now: Date; until: Date },
  ): Promise<boolean> {
    return this.write(w, async (tx) => {
      if (!(await this.decide(tx, attempt, ['in_flight'], 'verification_required', now, answer))) return false;
      const to = { state: 'verification_required', now, nextCheckAt: until } as const;
      const refused = await this.refuse(tx, w, ['submitting'], refusal, to);
      if (refused) await this.topics.refused(tx, w.quoteId, refusal);
      return refused;
    });
  }

  /**
   * Tells of a refusal that changes nothing, unless the withdrawal has come further meanwhile: that it may have left stays
   * the last word. Never fails.
   */
  async tellRefusal({ id, walletId }: Pick<Quote, 'id' | 'walletId'>, refusal: Refusal): Promise<void> {
    try {
      await this.db.transaction(async (tx) => {
        await this.wallets.lock(tx, walletId);
        const withdrawal = await tx.findOneBy(Withdrawal, { quoteId: id });
        if (withdrawal === null || canSubmit(withdrawal.state)) await this.topics.refused(tx, id, refusal);
      });
    } catch (error) {
      logFailedWork(this.logger, error, 'listeners were not told of a refusal', { quoteId: id });
    }
  }

  /** Provably nothing was written: another attempt may be made until the quote expires at `until`. */
  notSent(w: Withdrawal, attempt: WithdrawalAttempt, reason: string, now: Date, until: Date): Promise<boolean> {
    return this.write(w, async (tx) => {
      if (!(await this.decide(tx, attempt, ['in_flight'], 'not_sent', now, { reason }))) return false;
      return this.move(tx, w, ['submitting'], 'created', now, until);
    });
  }

  /** No definite answer, or the lease ran out: only the exchange's history can tell. */
  unknown(w: Withdrawal, attempt: WithdrawalAttempt, answer: object, now: Date): Promise<boolean> {
    return this.write(w, async (tx) => {
      if (!(await this.decide(tx, attempt, ['in_flight'], 'unknown', now, answer))) return false;
      const moved = await this.move(tx, w, ['submitting'], 'unknown', now, now);
      if (moved) await this.topics.mayHaveLeft(tx, w);
      return moved;
    });
  }

  /** Proven absent at the exchange: it never ran. */
  notExecuted(w: Withdrawal, attempt: WithdrawalAttempt, now: Date): Promise<boolean> {
    return this.write(w, async (tx) => {
      if (!(await this.decide(tx, attempt, ['unknown'], 'not_executed', now, attempt.answer ?? {}))) return false;
      return this.move(tx, w, ['unknown', 'review'], 'failed', now, null);
    });
  }

  /** Several records fit, absence is not proven, or the database has forgotten what came next: an operator decides. */
  toReview(w: Withdrawal, now: Date): Promise<boolean> {
    return this.write(w, (tx) => this.move(tx, w, [w.state], 'review', now, null));
  }

  /** The exchange's history shows the end of a submitted withdrawal. */
  settled(
    w: Withdrawal,
    seen: ExchangeWithdrawal,
    state: 'completed' | 'failed' | 'canceled',
    now: Date,
  ): Promise<boolean> {
    return this.write(w, async (tx) => {
      await this.linkSeen(tx, w, seen);
      return this.move(tx, w, ['submitted'], state, now, null);
    });
  }

  /** Still under way: what is known by now, and when to look again. */
  async progressed(w: Withdrawal, seen: ExchangeWithdrawal, nextCheckAt: Date): Promise<void> {
    await this.write(w, async (tx) => {
      await this.linkSeen(tx, w, seen);
      await this.db.query(
        `update withdrawals set next_check_at = $3, unconfirmed_since = null, unanswered_since = null
         where id = $1 and state = $2`,
        [w.id, w.state, nextCheckAt],
        tx,
      );
    });
  }

  /** The exchange answers without showing it, or refuses to answer. */
  async unconfirmed(w: Withdrawal, now: Date, nextCheckAt: Date): Promise<void> {
    await this.db.query(
      `update withdrawals
       set next_check_at = $3, unconfirmed_since = coalesce(unconfirmed_since, $4), unanswered_since = null
       where id = $1 and state = $2`,
      [w.id, w.state, nextCheckAt, now],
    );
  }

  /** The exchange could not be asked. */
  async unanswered(w: Withdrawal, now: Date, nextCheckAt: Date): Promise<void> {
    await this.db.query(
      `update withdrawals set next_check_at = $3, unanswered_since = coalesce(unanswered_since, $4)
       where id = $1 and state = $2`,
      [w.id, w.state, nextCheckAt, now],
    );
  }

  /** A listing of the exchange without the withdrawal. */
  async absent(w: Withdrawal, attempt: WithdrawalAttempt, now: Date, nextCheckAt: Date): Promise<void> {
    await this.write(w, async (tx) => {
      await this.db.query(
        `update withdrawal_attempts set clean_listings = clean_listings + 1, last_clean_listing_at = $2
         where id = $1 and outcome = 'unknown'`,
        [attempt.id, now],
        tx,
      );
      await this.lookAgain(w, nextCheckAt, tx);
    });
  }

  /** Nothing new, and nothing that speaks against it. */
  async lookAgain(w: Withdrawal, nextCheckAt: Date, tx?: EntityManager): Promise<void> {
    await this.db.query(
      `update withdrawals set next_check_at = $3, unconfirmed_since = null, unanswered_since = null
       where id = $1 and state = $2`,
      [w.id, w.state, nextCheckAt],
      tx,
    );
  }

  /** The wallet's row first, as everywhere: no two of its transactions wait for each other. */
  protected write<T>(w: Withdrawal, work: (tx: EntityManager) => Promise<T>): Promise<T> {
    return this.db.transaction(async (tx) => {
      await this.wallets.lock(tx, w.walletId);
      return work(tx);
    });
  }

  private async linkSeen(tx: EntityManager, w: Withdrawal, seen: ExchangeWithdrawal): Promise<void> {
    const quote = await tx.findOneByOrFail(Quote, { id: w.quoteId });
    const { exchangeId: exchangeTransactionId, hash } = seen;
    await this.transactions.link(tx, w.transactionId, { exchangeTransactionId, hash, moved: movedOf(quote, seen) });
  }

  protected async decide(
    tx: EntityManager,
    attempt: WithdrawalAttempt,
    from: WithdrawalAttempt['outcome'][],
    outcome: WithdrawalAttempt['outcome'],
    now: Date,
    answer: object,
    exchangeId: string | null = null,
  ): Promise<boolean> {
    const rows = await this.db.query(
      `update withdrawal_attempts set outcome = $3, finished_at = $4, answer = $5, exchange_id = $6, sent_at = $7
       where id = $1 and outcome = any($2) returning id`,
      [attempt.id, from, outcome, now, toStorable(answer), exchangeId, attempt.sentAt],
      tx,
    );
    return rows.length === 1;
  }

  /** What a life that the database has forgotten may have sent is an operator's business, and no refusal. */
  private async closeUnsent(tx: EntityManager, w: Withdrawal, refusal: Refusal, now: Date): Promise<boolean> {
    const unsent: WithdrawalState[] = ['created', 'verification_required'];
    const [row] = await this.db.query<{ is_forgotten: boolean }>(
      `select $1::timestamptz <= database_restored_at() as is_forgotten`,
      [w.createdAt],
      tx,
    );
    if (row?.is_forgotten === false) return this.reject(tx, w, unsent, refusal, now);
    return this.move(tx, w, unsent, 'review', now, null);
  }

  private async reject(
    tx: EntityManager,
    w: Withdrawal,
    from: WithdrawalState[],
    refusal: Refusal,
    now: Date,
  ): Promise<boolean> {
    const rejected = await this.refuse(tx, w, from, refusal, { state: 'rejected', now, nextCheckAt: null });
    if (!rejected) return false;
    await this.closed(tx, w, 'rejected', now);
    await this.topics.refused(tx, w.quoteId, refusal);
    return true;
  }

  private async refuse(
    tx: EntityManager,
    w: Withdrawal,
    from: WithdrawalState[],
    { code, message, result }: Refusal,
    to: { state: 'rejected' | 'verification_required'; now: Date; nextCheckAt: Date | null },
  ): Promise<boolean> {
    const rows = await this.db.query(
      `update withdrawals set state = $3, state_changed_at = $4, updated_at = $4, next_check_at = $5,
         error_code = $6, error_message = $7, error_result = $8
       where id = $1 and state = any($2) returning id`,
      [w.id, from, to.state, to.now, to.nextCheckAt, code, message, result === null ? null : toStorable(result)],
      tx,
    );
    return rows.length === 1;
  }

  protected async move(
    tx: EntityManager,
    w: Withdrawal,
    from: WithdrawalState[],
    to: WithdrawalState,
    now: Date,
    nextCheckAt: Date | null,
    exchangeId: string | null = null,
  ): Promise<boolean> {
    const rows = await this.db.query(
      `update withdrawals set state = $3, state_changed_at = $4, updated_at = $4, next_check_at = $5, check_count = 0,
         unconfirmed_since = null, unanswered_since = null, exchange_id = coalesce($6, exchange_id),
         error_code = null, error_message = null, error_result = null
       where id = $1 and state = any($2) returning id`,
      [w.id, from, to, now, nextCheckAt, exchangeId],
      tx,
    );
    if (rows.length === 1 && isSettled(to)) await this.closed(tx, w, to, now);
    return rows.length === 1;
  }

  private async closed(tx: EntityManager, w: Withdrawal, state: WithdrawalState, now: Date): Promise<void> {
    const status = transactionStatusOf(state);
    if (status !== 'pending') await this.transactions.settle(tx, w.transactionId, { status, at: now });
    await this.wallets.release(tx, w.walletId, w.id);
  }
}

function isRecordConflict(error: unknown): boolean {
  if (!(error instanceof Error) || !('driverError' in error)) return false;
  const { code, constraint } = error.driverError as { code?: string; constraint?: string };
  return code === '23505' && constraint === 'withdrawals_one_record';
}
