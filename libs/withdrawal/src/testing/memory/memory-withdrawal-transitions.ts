import type { ExchangeWithdrawal } from '#exchange';
import type { Clock } from '#platform/clock';
import type { Transaction } from '#transaction';
import type { Acceptance, RefusedAttempt, WithdrawalTransitions } from '../../withdrawals/withdrawal-transitions.js';
import type { RecordCorrections } from '../../withdrawals/record-corrections.js';
import type { Refusal } from '../../withdrawals/refusal.js';
import type { WithdrawalAttempt } from '../../withdrawals/withdrawal-attempt.entity.js';
import type { Withdrawal } from '../../withdrawals/withdrawal.entity.js';
import {
  isSettled,
  transactionStatusOf,
  type AttemptOutcome,
  type WithdrawalState,
} from '../../withdrawals/withdrawal-state.js';
import { movedOf } from '../../withdrawals/withdrawal-amounts.js';
import type { Quote } from '../../quote/quote.entity.js';
import { RecordTaken } from '../../withdrawals/execution.errors.js';
import { RuleBroken } from './memory-rules.js';
import type { MemoryTables } from './memory-tables.js';
import { stored } from './memory-withdrawal-store.js';

/** The methods of `WithdrawalTransitions` that executing and reconciling call. */
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
  | 'checkLater'
  | 'publishRefusal'
>;

interface Decision {
  outcome: AttemptOutcome;
  now: Date;
  answer: object;
  exchangeId?: string | null;
}

/** The new values of a withdrawal's row after a transition. */
type End = Pick<Withdrawal, 'state' | 'nextCheckAt'> & Partial<Withdrawal>;

/** `WithdrawalTransitions` in memory; a test runs it next to the real class and compares the results. */
export class MemoryWithdrawalTransitions implements TransitionsPort, Pick<RecordCorrections, 'correct'> {
  constructor(
    private readonly tables: MemoryTables,
    private readonly clock: Clock,
  ) {}

  async accepted(
    withdrawal: Withdrawal,
    attempt: WithdrawalAttempt,
    { exchangeId, answer, now }: Acceptance,
  ): Promise<boolean> {
    return this.unlessTaken(exchangeId, () => {
      const from: AttemptOutcome[] = ['in_flight', 'unknown'];
      if (!this.decide(attempt, from, { outcome: 'accepted', now, answer, exchangeId })) return false;
      const end = { state: 'submitted', nextCheckAt: now, exchangeId } as const;
      this.move(withdrawal, ['submitting', 'unknown', 'review'], now, end);
      this.link(withdrawal, { exchangeTransactionId: exchangeId });
      return true;
    });
  }

  async correct(withdrawal: Withdrawal, attempt: WithdrawalAttempt, exchangeId: string, now: Date): Promise<boolean> {
    const { id, transactionId, exchangeId: wrongId } = withdrawal;
    return this.unlessTaken(exchangeId, () => {
      const row = this.tables.withdrawals.get(id);
      if (row?.state !== 'submitted' || row.exchangeId !== wrongId || wrongId === null) return false;
      const answer = { ...attempt.answer, wrongId };
      const decision = { outcome: 'accepted' as const, now, answer, exchangeId };
      if (!this.decide(attempt, ['accepted'], decision)) return false;
      const checked = { nextCheckAt: now, checkCount: 0, unconfirmedSince: null, unansweredSince: null };
      this.tables.withdrawals.update(id, { ...checked, exchangeId, updatedAt: now });
      const unlinked = { exchangeTransactionId: null, hash: null, rawStatus: null };
      this.tables.transactions.update(transactionId, { ...unlinked, updatedAt: this.clock.now() });
      this.link(withdrawal, { exchangeTransactionId: exchangeId });
      return true;
    });
  }

  async rejected(
    withdrawal: Withdrawal,
    attempt: WithdrawalAttempt,
    { refusal, answer, now }: RefusedAttempt,
  ): Promise<boolean> {
    return this.tables.atomic(() => {
      if (!this.decide(attempt, ['in_flight'], { outcome: 'rejected', now, answer })) return false;
      return this.refuse(withdrawal, ['submitting'], refusal, { state: 'rejected', nextCheckAt: null, now });
    });
  }

  async neverSent(withdrawal: Withdrawal, refusal: Refusal, now: Date): Promise<boolean> {
    const end = { state: 'rejected', nextCheckAt: null, now } as const;
    return this.tables.atomic(() => this.refuse(withdrawal, ['created', 'verification_required'], refusal, end));
  }

  async expired({ id }: Pick<Quote, 'id'>, refusal: Refusal, now: Date): Promise<void> {
    const { withdrawals, closedQuotes } = this.tables;
    const end = { state: 'rejected', nextCheckAt: null, now } as const;
    this.tables.atomic(() => {
      const found = withdrawals.find(({ quoteId }) => quoteId === id);
      if (found !== null) this.refuse(found, ['created', 'verification_required'], refusal, end);
      else if (closedQuotes.get(id) === null) closedQuotes.insert(id, { quoteId: id, closedAt: now });
    });
  }

  async verificationRequired(
    withdrawal: Withdrawal,
    attempt: WithdrawalAttempt,
    { refusal, answer, now, until }: RefusedAttempt & { until: Date },
  ): Promise<boolean> {
    return this.tables.atomic(() => {
      if (!this.decide(attempt, ['in_flight'], { outcome: 'verification_required', now, answer })) return false;
      const end = { state: 'verification_required', nextCheckAt: until, now } as const;
      return this.refuse(withdrawal, ['submitting'], refusal, end);
    });
  }

  async notSent(
    withdrawal: Withdrawal,
    attempt: WithdrawalAttempt,
    { reason, now, until }: { reason: string; now: Date; until: Date },
  ): Promise<boolean> {
    return this.tables.atomic(() => {
      if (!this.decide(attempt, ['in_flight'], { outcome: 'not_sent', now, answer: { reason } })) return false;
      return this.move(withdrawal, ['submitting'], now, { state: 'created', nextCheckAt: until });
    });
  }

  async unknown(withdrawal: Withdrawal, attempt: WithdrawalAttempt, answer: object, now: Date): Promise<boolean> {
    return this.tables.atomic(() => {
      if (!this.decide(attempt, ['in_flight'], { outcome: 'unknown', now, answer })) return false;
      return this.move(withdrawal, ['submitting'], now, { state: 'unknown', nextCheckAt: now });
    });
  }

  async notExecuted(withdrawal: Withdrawal, attempt: WithdrawalAttempt, now: Date): Promise<boolean> {
    return this.tables.atomic(() => {
      if (!this.decide(attempt, ['unknown'], { outcome: 'not_executed', now, answer: attempt.answer ?? {} }))
        return false;
      return this.move(withdrawal, ['unknown', 'review'], now, { state: 'failed', nextCheckAt: null });
    });
  }

  async toReview(withdrawal: Withdrawal, now: Date): Promise<boolean> {
    const end = { state: 'review', nextCheckAt: null } as const;
    return this.tables.atomic(() => this.move(withdrawal, [withdrawal.state], now, end));
  }

  async settled(
    withdrawal: Withdrawal,
    seen: ExchangeWithdrawal,
    state: 'completed' | 'failed' | 'canceled',
    now: Date,
  ): Promise<boolean> {
    return this.tables.atomic(() => {
      this.linkSeen(withdrawal, seen);
      return this.move(withdrawal, ['submitted'], now, { state, nextCheckAt: null });
    });
  }

  async progressed(withdrawal: Withdrawal, seen: ExchangeWithdrawal, nextCheckAt: Date): Promise<void> {
    this.tables.atomic(() => {
      this.linkSeen(withdrawal, seen);
      this.postpone(withdrawal, nextCheckAt);
    });
  }

  async unconfirmed(withdrawal: Withdrawal, now: Date, nextCheckAt: Date): Promise<void> {
    const since = this.tables.withdrawals.get(withdrawal.id)?.unconfirmedSince ?? now;
    this.postpone(withdrawal, nextCheckAt, { unconfirmedSince: since });
  }

  async unanswered(withdrawal: Withdrawal, now: Date, nextCheckAt: Date): Promise<void> {
    const row = this.tables.withdrawals.get(withdrawal.id);
    const unconfirmedSince = row?.unconfirmedSince ?? null;
    this.postpone(withdrawal, nextCheckAt, { unconfirmedSince, unansweredSince: row?.unansweredSince ?? now });
  }

  async absent(withdrawal: Withdrawal, { id }: WithdrawalAttempt, now: Date, nextCheckAt: Date): Promise<void> {
    this.tables.atomic(() => {
      const row = this.tables.attempts.get(id);
      if (row?.outcome === 'unknown') {
        this.tables.attempts.update(id, { cleanListings: row.cleanListings + 1, lastCleanListingAt: now });
      }
      this.postpone(withdrawal, nextCheckAt);
    });
  }

  async checkLater(withdrawal: Withdrawal, nextCheckAt: Date): Promise<void> {
    this.postpone(withdrawal, nextCheckAt);
  }

  /** Does nothing, because the simulation has no listeners. */
  async publishRefusal(): Promise<void> {}

  private postpone({ id, state }: Withdrawal, nextCheckAt: Date, also: Partial<Withdrawal> = {}): void {
    if (this.tables.withdrawals.get(id)?.state !== state) return;
    this.tables.withdrawals.update(id, { unconfirmedSince: null, unansweredSince: null, ...also, nextCheckAt });
  }

  private linkSeen(withdrawal: Withdrawal, seen: ExchangeWithdrawal): void {
    const { exchangeId: exchangeTransactionId, hash } = seen;
    const quote = this.tables.quotes.get(withdrawal.quoteId);
    const moved = quote === null ? null : movedOf(quote, seen);
    const fiatCurrency = moved?.amountInFiat == null && moved?.feeInFiat == null ? null : 'USD';
    this.link(withdrawal, { exchangeTransactionId, ...(hash && { hash }), ...(moved && { ...moved, fiatCurrency }) });
  }

  private link({ transactionId }: Withdrawal, facts: Partial<Transaction>): void {
    const row = this.tables.transactions.get(transactionId);
    if (row === null) return;
    const isKnown = Object.entries(facts).every(
      ([column, value]) => String(row[column as keyof typeof row]) === String(value),
    );
    if (!isKnown) this.tables.transactions.update(transactionId, { ...facts, updatedAt: this.clock.now() });
  }

  private unlessTaken(exchangeId: string, work: () => boolean): boolean {
    try {
      return this.tables.atomic(work);
    } catch (error) {
      const isTaken = error instanceof RuleBroken && error.constraint === 'withdrawals_one_record';
      throw isTaken ? new RecordTaken(exchangeId, error) : error;
    }
  }

  private decide(
    { id, sentAt }: WithdrawalAttempt,
    from: AttemptOutcome[],
    { outcome, now, answer, exchangeId = null }: Decision,
  ): boolean {
    const row = this.tables.attempts.get(id);
    if (row === null || !from.includes(row.outcome)) return false;
    const kept = stored(answer) as Record<string, unknown>;
    this.tables.attempts.update(id, { outcome, finishedAt: now, answer: kept, exchangeId, sentAt });
    return true;
  }

  private refuse(
    withdrawal: Withdrawal,
    from: WithdrawalState[],
    refusal: Refusal,
    { now, ...end }: End & { now: Date },
  ): boolean {
    const { code: errorCode, message: errorMessage, result } = refusal;
    return this.change(withdrawal, from, now, { ...end, errorCode, errorMessage, errorResult: stored(result) });
  }

  private move(withdrawal: Withdrawal, from: WithdrawalState[], now: Date, end: End): boolean {
    const nothing = { errorCode: null, errorMessage: null, errorResult: null };
    return this.change(withdrawal, from, now, {
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
