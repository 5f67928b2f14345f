import type { ExchangeWithdrawal } from '#exchange';
import type { Clock } from '#platform/clock';
import type { Transaction } from '#transaction';
import type { Refusal, WithdrawalTransitions } from '../../execution/withdrawal-transitions.js';
import type { WithdrawalAttempt } from '../../execution/withdrawal-attempt.entity.js';
import type { Withdrawal } from '../../execution/withdrawal.entity.js';
import {
  isSettled,
  transactionStatusOf,
  type AttemptOutcome,
  type WithdrawalState,
} from '../../execution/withdrawal-state.js';
import { movedOf } from '../../execution/withdrawal-amounts.js';
import type { Quote } from '../../quote/quote.entity.js';
import { RecordTaken } from '../../execution/execution.errors.js';
import { RuleBroken } from './memory-rules.js';
import type { MemoryTables } from './memory-tables.js';
import { stored } from './memory-withdrawal-store.js';

/** What executing and reconciling take of `WithdrawalTransitions`. */
export type TransitionsPort = Pick<
  WithdrawalTransitions,
  | 'accepted'
  | 'rejected'
  | 'neverSent'
  | 'expired'
  | 'verificationRequired'
  | 'notSent'
  | 'unknown'
  | 'notExecuted'
  | 'toReview'
  | 'settled'
  | 'progressed'
  | 'unconfirmed'
  | 'unanswered'
  | 'absent'
  | 'lookAgain'
  | 'tellRefusal'
>;

/** What an outcome changes in the row of a withdrawal. */
type End = Pick<Withdrawal, 'state' | 'nextCheckAt'> & Partial<Withdrawal>;

/** `WithdrawalTransitions` in memory. A test that runs both at once keeps it equal to the real one. */
export class MemoryWithdrawalTransitions implements TransitionsPort {
  constructor(
    private readonly tables: MemoryTables,
    private readonly clock: Clock,
  ) {}

  async accepted(
    w: Withdrawal,
    attempt: WithdrawalAttempt,
    exchangeId: string,
    answer: object,
    now: Date,
  ): Promise<boolean> {
    try {
      return this.tables.atomic(() => {
        if (!this.decide(attempt, ['in_flight', 'unknown'], 'accepted', now, answer, exchangeId)) return false;
        const end = { state: 'submitted', nextCheckAt: now, exchangeId } as const;
        this.move(w, ['submitting', 'unknown', 'review'], now, end);
        this.link(w, { exchangeTransactionId: exchangeId });
        return true;
      });
    } catch (error) {
      const isTaken = error instanceof RuleBroken && error.constraint === 'withdrawals_one_record';
      throw isTaken ? new RecordTaken(exchangeId, error) : error;
    }
  }

  async rejected(
    w: Withdrawal,
    attempt: WithdrawalAttempt,
    refusal: Refusal,
    answer: object,
    now: Date,
  ): Promise<boolean> {
    return this.tables.atomic(() => {
      if (!this.decide(attempt, ['in_flight'], 'rejected', now, answer)) return false;
      return this.refuse(w, ['submitting'], refusal, now, { state: 'rejected', nextCheckAt: null });
    });
  }

  async neverSent(w: Withdrawal, refusal: Refusal, now: Date): Promise<boolean> {
    const end = { state: 'rejected', nextCheckAt: null } as const;
    return this.tables.atomic(() => this.refuse(w, ['created', 'verification_required'], refusal, now, end));
  }

  async expired({ id }: Pick<Quote, 'id'>, refusal: Refusal, now: Date): Promise<void> {
    const { withdrawals, closedQuotes } = this.tables;
    const end = { state: 'rejected', nextCheckAt: null } as const;
    this.tables.atomic(() => {
      const withdrawal = withdrawals.find(({ quoteId }) => quoteId === id);
      if (withdrawal !== null) this.refuse(withdrawal, ['created', 'verification_required'], refusal, now, end);
      else if (closedQuotes.get(id) === null) closedQuotes.insert(id, { quoteId: id, closedAt: now });
    });
  }

  async verificationRequired(
    w: Withdrawal,
    attempt: WithdrawalAttempt,
    refusal: Refusal,
    answer: object,
    { now, until }: { now: Date; until: Date },
  ): Promise<boolean> {
    return this.tables.atomic(() => {
      if (!this.decide(attempt, ['in_flight'], 'verification_required', now, answer)) return false;
      const end = { state: 'verification_required', nextCheckAt: until } as const;
      return this.refuse(w, ['submitting'], refusal, now, end);
    });
  }

  async notSent(w: Withdrawal, attempt: WithdrawalAttempt, reason: string, now: Date, until: Date): Promise<boolean> {
    return this.tables.atomic(() => {
      if (!this.decide(attempt, ['in_flight'], 'not_sent', now, { reason })) return false;
      return this.move(w, ['submitting'], now, { state: 'created', nextCheckAt: until });
    });
  }

  async unknown(w: Withdrawal, attempt: WithdrawalAttempt, answer: object, now: Date): Promise<boolean> {
    return this.tables.atomic(() => {
      if (!this.decide(attempt, ['in_flight'], 'unknown', now, answer)) return false;
      return this.move(w, ['submitting'], now, { state: 'unknown', nextCheckAt: now });
    });
  }

  async notExecuted(w: Withdrawal, attempt: WithdrawalAttempt, now: Date): Promise<boolean> {
    return this.tables.atomic(() => {
      if (!this.decide(attempt, ['unknown'], 'not_executed', now, attempt.answer ?? {})) return false;
      return this.move(w, ['unknown', 'review'], now, { state: 'failed', nextCheckAt: null });
    });
  }

  async toReview(w: Withdrawal, now: Date): Promise<boolean> {
    const end = { state: 'review', nextCheckAt: null } as const;
    return this.tables.atomic(() => this.move(w, [w.state], now, end));
  }

  async settled(
    w: Withdrawal,
    seen: ExchangeWithdrawal,
    state: 'completed' | 'failed' | 'canceled',
    now: Date,
  ): Promise<boolean> {
    return this.tables.atomic(() => {
      this.linkSeen(w, seen);
      return this.move(w, ['submitted'], now, { state, nextCheckAt: null });
    });
  }

  async progressed(w: Withdrawal, seen: ExchangeWithdrawal, nextCheckAt: Date): Promise<void> {
    this.tables.atomic(() => {
      this.linkSeen(w, seen);
      this.postpone(w, nextCheckAt);
    });
  }

  async unconfirmed(w: Withdrawal, now: Date, nextCheckAt: Date): Promise<void> {
    const since = this.tables.withdrawals.get(w.id)?.unconfirmedSince ?? now;
    this.postpone(w, nextCheckAt, { unconfirmedSince: since });
  }

  async unanswered(w: Withdrawal, now: Date, nextCheckAt: Date): Promise<void> {
    const row = this.tables.withdrawals.get(w.id);
    const unconfirmedSince = row?.unconfirmedSince ?? null;
    this.postpone(w, nextCheckAt, { unconfirmedSince, unansweredSince: row?.unansweredSince ?? now });
  }

  async absent(w: Withdrawal, { id }: WithdrawalAttempt, now: Date, nextCheckAt: Date): Promise<void> {
    this.tables.atomic(() => {
      const row = this.tables.attempts.get(id);
      if (row?.outcome === 'unknown') {
        this.tables.attempts.update(id, { cleanListings: row.cleanListings + 1, lastCleanListingAt: now });
      }
      this.postpone(w, nextCheckAt);
    });
  }

  async lookAgain(w: Withdrawal, nextCheckAt: Date): Promise<void> {
    this.postpone(w, nextCheckAt);
  }

  /** Nobody listens here. */
  async tellRefusal(): Promise<void> {}

  private postpone({ id, state }: Withdrawal, nextCheckAt: Date, also: Partial<Withdrawal> = {}): void {
    if (this.tables.withdrawals.get(id)?.state !== state) return;
    this.tables.withdrawals.update(id, { unconfirmedSince: null, unansweredSince: null, ...also, nextCheckAt });
  }

  private linkSeen(w: Withdrawal, seen: ExchangeWithdrawal): void {
    const { exchangeId: exchangeTransactionId, hash } = seen;
    const quote = this.tables.quotes.get(w.quoteId);
    const moved = quote === null ? null : movedOf(quote, seen);
    const fiatCurrency = moved?.amountInFiat == null && moved?.feeInFiat == null ? null : 'USD';
    this.link(w, { exchangeTransactionId, ...(hash && { hash }), ...(moved && { ...moved, fiatCurrency }) });
  }

  private link({ transactionId }: Withdrawal, facts: Partial<Transaction>): void {
    const row = this.tables.transactions.get(transactionId);
    if (row === null) return;
    const isKnown = Object.entries(facts).every(
      ([column, value]) => String(row[column as keyof typeof row]) === String(value),
    );
    if (!isKnown) this.tables.transactions.update(transactionId, { ...facts, updatedAt: this.clock.now() });
  }

  private decide(
    { id, sentAt }: WithdrawalAttempt,
    from: AttemptOutcome[],
    outcome: AttemptOutcome,
    now: Date,
    answer: object,
    exchangeId: string | null = null,
  ): boolean {
    const row = this.tables.attempts.get(id);
    if (row === null || !from.includes(row.outcome)) return false;
    const kept = stored(answer) as Record<string, unknown>;
    this.tables.attempts.update(id, { outcome, finishedAt: now, answer: kept, exchangeId, sentAt });
    return true;
  }

  private refuse(w: Withdrawal, from: WithdrawalState[], refusal: Refusal, now: Date, end: End): boolean {
    const { code: errorCode, message: errorMessage, result } = refusal;
    return this.change(w, from, now, { ...end, errorCode, errorMessage, errorResult: stored(result) });
  }

  private move(w: Withdrawal, from: WithdrawalState[], now: Date, end: End): boolean {
    const nothing = { errorCode: null, errorMessage: null, errorResult: null };
    return this.change(w, from, now, {
      ...end,
      ...nothing,
      checkCount: 0,
      unconfirmedSince: null,
      unansweredSince: null,
    });
  }

  private change({ id }: Withdrawal, from: WithdrawalState[], now: Date, end: End): boolean {
    const row = this.tables.withdrawals.get(id);
    if (row === null || !from.includes(row.state)) return false;
    this.tables.withdrawals.update(id, { ...end, stateChangedAt: now, updatedAt: now });
    if (isSettled(end.state)) this.close(row, end.state, now);
    return true;
  }

  private close({ id, walletId, transactionId }: Withdrawal, state: WithdrawalState, now: Date): void {
    const status = transactionStatusOf(state);
    if (this.tables.transactions.get(transactionId)?.status === 'pending') {
      this.tables.transactions.update(transactionId, { status, updatedAt: now });
    }
    this.tables.release(walletId, id);
  }
}
