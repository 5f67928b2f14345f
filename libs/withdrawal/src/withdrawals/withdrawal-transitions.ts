import { Inject, Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { ExchangeWithdrawal } from '#exchange';
import { Database, toStorable, type NamedStatement } from '#platform/database';
import { logFailedWork } from '#platform/errors';
import { LOGGER, type Logger } from '#platform/logging';
import { Transactions } from '#transaction';
import { Wallets } from '#wallet';
import type { WithdrawalAttempt } from './withdrawal-attempt.entity.js';
import { RestoredDatabase } from '../epoch/restored-database.js';
import { unlessTaken } from './execution.errors.js';
import {
  canSubmit,
  isSettled,
  transactionStatusOf,
  type AttemptOutcome,
  type WithdrawalState,
} from './withdrawal-state.js';
import { hasEvent, readEventFacts } from './withdrawal-event.js';
import { WithdrawalTopics } from './withdrawal-topics.js';
import { Withdrawal } from './withdrawal.entity.js';
import { Quote } from '../quote/quote.entity.js';
import type { Refusal } from './refusal.js';
import { movedOf } from './withdrawal-amounts.js';

/** The exchange has the withdrawal under `exchangeId`. */
export interface Acceptance {
  exchangeId: string;
  answer: object;
  now: Date;
}

/** The exchange refused the submission, and no money moved. */
export interface RefusedAttempt {
  refusal: Refusal;
  answer: object;
  now: Date;
}

interface Decision {
  from: AttemptOutcome[];
  outcome: AttemptOutcome;
  now: Date;
  answer: object;
  exchangeId?: string | null;
}

interface Move {
  from: WithdrawalState[];
  to: WithdrawalState;
  now: Date;
  /** null = the worker does not check the withdrawal again. */
  nextCheckAt: Date | null;
  exchangeId?: string | null;
  /** Whether the listeners learn now that the money may have left. */
  mayHaveLeft?: boolean;
}

const DECIDE: NamedStatement = {
  name: 'decide attempt',
  text: `update withdrawal_attempts set outcome = $3, finished_at = $4, answer = $5, exchange_id = $6, sent_at = $7
         where id = $1 and outcome = any($2) returning id`,
};
const MOVE: NamedStatement = {
  name: 'move withdrawal',
  text: `update withdrawals set state = $3, state_changed_at = $4, updated_at = $4, next_check_at = $5, check_count = 0,
           unconfirmed_since = null, unanswered_since = null, exchange_id = coalesce($6, exchange_id),
           error_code = null, error_message = null, error_result = null
         where id = $1 and state = any($2) returning id`,
};

/**
 * Records each change of a withdrawal's state and publishes it to the listeners of its quote. Each method is one
 * transaction. It changes the row only in a state that it expects, and then returns true if it has a result.
 */
@Injectable()
export class WithdrawalTransitions {
  constructor(
    protected readonly db: Database,
    protected readonly wallets: Wallets,
    protected readonly transactions: Transactions,
    protected readonly topics: WithdrawalTopics,
    private readonly restored: RestoredDatabase,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * Records that the exchange has the withdrawal, as its response or its history shows.
   * @throws RecordTaken when the id belongs to another withdrawal; then nothing is written.
   */
  accepted(withdrawal: Withdrawal, attempt: WithdrawalAttempt, acceptance: Acceptance): Promise<boolean> {
    return unlessTaken(acceptance.exchangeId, () => this.link(withdrawal, attempt, acceptance));
  }

  private link(
    withdrawal: Withdrawal,
    attempt: WithdrawalAttempt,
    { exchangeId, answer, now }: Acceptance,
  ): Promise<boolean> {
    const decision: Decision = { from: ['in_flight', 'unknown'], outcome: 'accepted', now, answer, exchangeId };
    return this.decideFirst(withdrawal, attempt, decision, async (tx) => {
      const to = { to: 'submitted', now, nextCheckAt: now, exchangeId } as const;
      // When the outcome was unknown, the listeners already know that the money may have left, and get no message.
      if (!(await this.move(tx, withdrawal, { from: ['submitting'], ...to, mayHaveLeft: true }))) {
        await this.move(tx, withdrawal, { from: ['unknown', 'review'], ...to });
      }
      await this.transactions.link(tx, withdrawal.transactionId, { exchangeTransactionId: exchangeId });
      return true;
    });
  }

  /** Records a definite refusal. No money moved, and every repeat of the call gets the same response. */
  rejected(
    withdrawal: Withdrawal,
    attempt: WithdrawalAttempt,
    { refusal, answer, now }: RefusedAttempt,
  ): Promise<boolean> {
    const decision: Decision = { from: ['in_flight'], outcome: 'rejected', now, answer };
    return this.decideFirst(withdrawal, attempt, decision, (tx) =>
      this.reject(tx, withdrawal, { from: ['submitting'], refusal, now }),
    );
  }

  /** Records that the quote expired before anything was sent. No later call sends the withdrawal. */
  neverSent(withdrawal: Withdrawal, refusal: Refusal, now: Date): Promise<boolean> {
    return this.write(withdrawal, (tx) => this.closeUnsent(tx, withdrawal, refusal, now));
  }

  /** Records that the quote has expired. After that no process executes the quote, whatever its own clock shows. */
  expired(quote: Quote, refusal: Refusal, now: Date): Promise<void> {
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
      if (closed.length === 0 || (await this.restored.mayLackExecution(quote, tx))) return;
      await this.topics.refused(tx, quote.id, refusal);
    });
  }

  /** Records that the exchange wants a verification first. No money moved; a later call with the code tries again. */
  verificationRequired(
    withdrawal: Withdrawal,
    attempt: WithdrawalAttempt,
    { refusal, answer, now, until }: RefusedAttempt & { until: Date },
  ): Promise<boolean> {
    const decision: Decision = { from: ['in_flight'], outcome: 'verification_required', now, answer };
    return this.decideFirst(withdrawal, attempt, decision, async (tx) => {
      const refused = await this.refuse(tx, withdrawal, refusal, {
        from: ['submitting'],
        to: 'verification_required',
        now,
        nextCheckAt: until,
      });
      if (refused) await this.topics.refused(tx, withdrawal.quoteId, refusal);
      return refused;
    });
  }

  /**
   * Publishes a refusal that changes no state. Publishes nothing when another call may have sent the withdrawal, so
   * that no refusal follows the message that the money may have left. Never throws.
   * @param by the call that was refused
   */
  async publishRefusal(
    { id, walletId }: Pick<Quote, 'id' | 'walletId'>,
    refusal: Refusal,
    by: 'execution' | 'dry_run' = 'execution',
  ): Promise<void> {
    try {
      await this.db.transaction(async (tx) => {
        await this.wallets.lock(tx, walletId);
        const withdrawal = await tx.findOneBy(Withdrawal, { quoteId: id });
        if (withdrawal !== null && !canSubmit(withdrawal.state)) return;
        if (by === 'dry_run') await this.topics.triedDry(tx, id, refusal);
        else await this.topics.refused(tx, id, refusal);
      });
    } catch (error) {
      logFailedWork(this.logger, error, 'a refusal was not published to the listeners', { quoteId: id });
    }
  }

  /** Records that provably nothing was sent. Another attempt may be made until the quote expires at `until`. */
  notSent(
    withdrawal: Withdrawal,
    attempt: WithdrawalAttempt,
    { reason, now, until }: { reason: string; now: Date; until: Date },
  ): Promise<boolean> {
    const decision: Decision = { from: ['in_flight'], outcome: 'not_sent', now, answer: { reason } };
    return this.decideFirst(withdrawal, attempt, decision, (tx) =>
      this.move(tx, withdrawal, { from: ['submitting'], to: 'created', now, nextCheckAt: until }),
    );
  }

  /** Records that no definite answer came, or that the lease ran out. Only the exchange's history can now decide. */
  unknown(withdrawal: Withdrawal, attempt: WithdrawalAttempt, answer: object, now: Date): Promise<boolean> {
    const decision: Decision = { from: ['in_flight'], outcome: 'unknown', now, answer };
    const move = { to: 'unknown', now, nextCheckAt: now, mayHaveLeft: true } as const;
    return this.decideFirst(withdrawal, attempt, decision, (tx) =>
      this.move(tx, withdrawal, { from: ['submitting'], ...move }),
    );
  }

  /** Records that the exchange provably did not execute the withdrawal. */
  notExecuted(withdrawal: Withdrawal, attempt: WithdrawalAttempt, now: Date): Promise<boolean> {
    const decision: Decision = { from: ['unknown'], outcome: 'not_executed', now, answer: attempt.answer ?? {} };
    return this.decideFirst(withdrawal, attempt, decision, (tx) =>
      this.move(tx, withdrawal, { from: ['unknown', 'review'], to: 'failed', now, nextCheckAt: null }),
    );
  }

  /** Moves the withdrawal to `review`, where an operator decides. */
  toReview(withdrawal: Withdrawal, now: Date): Promise<boolean> {
    const move: Move = { from: [withdrawal.state], to: 'review', now, nextCheckAt: null };
    return this.write(withdrawal, (tx) => this.move(tx, withdrawal, move));
  }

  /** Records the final state that the exchange's history shows for a submitted withdrawal. */
  settled(
    withdrawal: Withdrawal,
    seen: ExchangeWithdrawal,
    state: 'completed' | 'failed' | 'canceled',
    now: Date,
  ): Promise<boolean> {
    return this.write(withdrawal, async (tx) => {
      await this.linkSeen(tx, withdrawal, seen);
      return this.move(tx, withdrawal, { from: ['submitted'], to: state, now, nextCheckAt: null });
    });
  }

  /** Records what the exchange shows of an unsettled withdrawal, and the time of the next check. */
  async progressed(withdrawal: Withdrawal, seen: ExchangeWithdrawal, nextCheckAt: Date): Promise<void> {
    await this.write(withdrawal, async (tx) => {
      await this.linkSeen(tx, withdrawal, seen);
      await this.checkLater(withdrawal, nextCheckAt, tx);
    });
  }

  /** Records that the exchange answers without showing the withdrawal, or refuses to answer. */
  async unconfirmed(withdrawal: Withdrawal, now: Date, nextCheckAt: Date): Promise<void> {
    await this.db.query(
      `update withdrawals
       set next_check_at = $3, unconfirmed_since = coalesce(unconfirmed_since, $4), unanswered_since = null
       where id = $1 and state = $2`,
      [withdrawal.id, withdrawal.state, nextCheckAt, now],
    );
  }

  /** Records that the exchange could not be queried. */
  async unanswered(withdrawal: Withdrawal, now: Date, nextCheckAt: Date): Promise<void> {
    await this.db.query(
      `update withdrawals set next_check_at = $3, unanswered_since = coalesce(unanswered_since, $4)
       where id = $1 and state = $2`,
      [withdrawal.id, withdrawal.state, nextCheckAt, now],
    );
  }

  /** Records a listing of the exchange that does not contain the withdrawal. */
  async absent(withdrawal: Withdrawal, attempt: WithdrawalAttempt, now: Date, nextCheckAt: Date): Promise<void> {
    await this.write(withdrawal, async (tx) => {
      await this.db.query(
        `update withdrawal_attempts set clean_listings = clean_listings + 1, last_clean_listing_at = $2
         where id = $1 and outcome = 'unknown'`,
        [attempt.id, now],
        tx,
      );
      await this.checkLater(withdrawal, nextCheckAt, tx);
    });
  }

  /**
   * Sets the time of the next check and keeps the state. Clears the times since which the exchange has not responded or
   * not shown the withdrawal.
   */
  async checkLater(withdrawal: Withdrawal, nextCheckAt: Date, tx?: EntityManager): Promise<void> {
    await this.db.query(
      `update withdrawals set next_check_at = $3, unconfirmed_since = null, unanswered_since = null
       where id = $1 and state = $2`,
      [withdrawal.id, withdrawal.state, nextCheckAt],
      tx,
    );
  }

  /** Locks the wallet's row before all other rows, as every transaction does, so that there are no deadlocks. */
  protected write<T>(withdrawal: Withdrawal, work: (tx: EntityManager) => Promise<T>): Promise<T> {
    return this.db.transaction(async (tx) => {
      await this.wallets.lock(tx, withdrawal.walletId);
      return work(tx);
    });
  }

  /** Records the attempt's outcome and runs `work`, in one transaction; does neither if an outcome is recorded. */
  private decideFirst(
    withdrawal: Withdrawal,
    attempt: WithdrawalAttempt,
    decision: Decision,
    work: (tx: EntityManager) => Promise<boolean>,
  ): Promise<boolean> {
    return this.db.transaction(async (tx) => {
      await this.wallets.lock(tx, withdrawal.walletId);
      return (await this.decide(tx, attempt, decision)) && work(tx);
    });
  }

  private async linkSeen(tx: EntityManager, withdrawal: Withdrawal, seen: ExchangeWithdrawal): Promise<void> {
    const quote = await tx.findOneByOrFail(Quote, { id: withdrawal.quoteId });
    const { exchangeId: exchangeTransactionId, hash } = seen;
    const moved = movedOf(quote, seen);
    await this.transactions.link(tx, withdrawal.transactionId, { exchangeTransactionId, hash, moved });
  }

  protected async decide(
    tx: EntityManager,
    attempt: WithdrawalAttempt,
    { from, outcome, now, answer, exchangeId = null }: Decision,
  ): Promise<boolean> {
    const rows = await this.db.read(
      DECIDE,
      [attempt.id, from, outcome, now, toStorable(answer), exchangeId, attempt.sentAt],
      tx,
    );
    return rows.length === 1;
  }

  /** Ends an unsent withdrawal, or moves it to `review` if it may have been sent before a restore of the database. */
  private async closeUnsent(tx: EntityManager, withdrawal: Withdrawal, refusal: Refusal, now: Date): Promise<boolean> {
    const unsent: WithdrawalState[] = ['created', 'verification_required'];
    if (await this.restored.isForgotten(withdrawal.createdAt, tx))
      return this.move(tx, withdrawal, { from: unsent, to: 'review', now, nextCheckAt: null });
    return this.reject(tx, withdrawal, { from: unsent, refusal, now });
  }

  private async reject(
    tx: EntityManager,
    withdrawal: Withdrawal,
    { from, refusal, now }: { from: WithdrawalState[]; refusal: Refusal; now: Date },
  ): Promise<boolean> {
    const rejected = await this.refuse(tx, withdrawal, refusal, { from, to: 'rejected', now, nextCheckAt: null });
    if (!rejected) return false;
    await this.closed(tx, withdrawal, 'rejected', now);
    const facts = await readEventFacts(this.db, tx, withdrawal.quoteId);
    await this.topics.moved(tx, facts, { to: 'rejected' });
    await this.topics.refused(tx, withdrawal.quoteId, refusal);
    return true;
  }

  private async refuse(
    tx: EntityManager,
    { id }: Withdrawal,
    { code, message, result }: Refusal,
    { from, to, now, nextCheckAt }: Move & { to: 'rejected' | 'verification_required' },
  ): Promise<boolean> {
    const rows = await this.db.query(
      `update withdrawals set state = $3, state_changed_at = $4, updated_at = $4, next_check_at = $5,
         error_code = $6, error_message = $7, error_result = $8
       where id = $1 and state = any($2) returning id`,
      [id, from, to, now, nextCheckAt, code, message, result === null ? null : toStorable(result)],
      tx,
    );
    return rows.length === 1;
  }

  protected async move(
    tx: EntityManager,
    withdrawal: Withdrawal,
    { from, to, now, nextCheckAt, exchangeId = null, mayHaveLeft }: Move,
  ): Promise<boolean> {
    const rows = await this.db.read(MOVE, [withdrawal.id, from, to, now, nextCheckAt, exchangeId], tx);
    if (rows.length !== 1) return false;
    const facts = hasEvent(to) ? await readEventFacts(this.db, tx, withdrawal.quoteId) : null;
    if (isSettled(to)) await this.closed(tx, withdrawal, to, now);
    if (facts !== null) await this.topics.moved(tx, facts, { to, mayHaveLeft });
    return true;
  }

  private async closed(tx: EntityManager, withdrawal: Withdrawal, state: WithdrawalState, now: Date): Promise<void> {
    const status = transactionStatusOf(state);
    if (status !== 'pending') await this.transactions.settle(tx, withdrawal.transactionId, { status, at: now });
    await this.wallets.release(tx, withdrawal.walletId, withdrawal.id);
  }
}
