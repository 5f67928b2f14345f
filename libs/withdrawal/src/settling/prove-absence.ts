import { Injectable } from '@nestjs/common';
import { ExchangeError, holdingsOf, type AccountMovement, type AssetBalance, type ExchangeSession } from '#exchange';
import type { Amount } from '#money';
import { Config } from '#platform/config';
import { CompareRefusals } from '../refusals/compare-refusals.js';
import { weighAccount } from './account-evidence.js';
import { weighMovements } from './movement-evidence.js';
import { hasMoved, isAlike, MOVEMENT_LOOKBACK_MS, RECORD_LOOKBACK_MS } from '../withdrawals/exchange-records.js';
import type { WithdrawalAttempt } from '../withdrawals/withdrawal-attempt.entity.js';
import type { Withdrawal } from '../withdrawals/withdrawal.entity.js';
import { WithdrawalStore } from '../withdrawals/withdrawal-store.js';

export type AbsenceEvidence =
  | { isProven: true }
  /** `mayChange`: the exchange may list more movements a little later. */
  | { isProven: false; mayChange: boolean; reason: string };

/** The withdrawal whose absence is to be proven. */
export interface AbsenceQuestion {
  session: ExchangeSession;
  withdrawal: Withdrawal;
  attempt: WithdrawalAttempt;
  /** Ids of the exchange's failed records, which have moved no money. */
  failedIds: readonly string[];
}

const CHANGED = 'the exchange lists no movements and the balance has changed';
const UNREADABLE = 'the movements of the account could not be read';
const REASONS = {
  unexplained: 'a movement of the account may be the withdrawal',
  incomplete: 'the movements of the account do not explain its balance',
} as const;

/**
 * Collects evidence that the exchange did not execute a withdrawal. Where the exchange lists the movements of the
 * account, the evidence is these movements. Elsewhere it is an unchanged balance. The free balance counts, too, because
 * some exchanges keep an accepted withdrawal in the total until they have sent it.
 */
@Injectable()
export class ProveAbsence {
  constructor(
    private readonly store: WithdrawalStore,
    private readonly config: Config,
    private readonly refusals: CompareRefusals,
  ) {}

  /** @throws ExchangeError when the exchange cannot be queried now. */
  async execute(question: AbsenceQuestion): Promise<AbsenceEvidence> {
    const { session, withdrawal, attempt } = question;
    const movements = await this.movements(question);
    if (movements === 'unreadable') return { isProven: false, mayChange: true, reason: UNREADABLE };
    const balances = await session.balances();
    const { totalBefore, freeBefore } = attempt;
    const { total: totalNow, free } = holdingsOf(session.exchange, balances, withdrawal.asset);
    if (movements === null) {
      const isEqual = totalNow.equals(totalBefore) && free.equals(freeBefore);
      // A higher balance proves nothing, because a deposit may hide the debit. When the exchange has refused the
      // withdrawal, its word and its history agree, and only a lower balance speaks against them.
      const isLower = totalNow.lessThan(totalBefore) || free.lessThan(freeBefore);
      if (isEqual || (wasRefused(attempt) && !isLower)) return { isProven: true };
      return this.weighPayingAccount(question);
    }
    const evidence = weighMovements({
      totalBefore,
      totalNow,
      movements,
      debits: debitsOf(withdrawal),
      holdings: totalsOf(balances),
      sentBetween: this.sentBetween(attempt),
      isKnown: await this.otherWithdrawals(question, movements),
    });
    if (evidence === 'absent') return { isProven: true };
    return { isProven: false, mayChange: true, reason: REASONS[evidence] };
  }

  /** Weighs the changes of the account that pays withdrawals, where the exchange lists them. */
  private async weighPayingAccount(question: AbsenceQuestion): Promise<AbsenceEvidence> {
    const { session, withdrawal, attempt, failedIds } = question;
    const { asset, amountNoFee: min, amountWithFee: max } = withdrawal;
    const [since] = this.sentBetween(attempt);
    const account = await this.readable(session.withdrawals?.payingAccount?.(asset, since));
    if (account === null) return { isProven: false, mayChange: false, reason: CHANGED };
    if (account === 'unreadable') return { isProven: false, mayChange: true, reason: UNREADABLE };
    const evidence = weighAccount({
      account,
      since,
      clientRef: attempt.clientRef,
      debit: { min, max },
      hasFailed: failedIds.length > 0,
    });
    if (evidence === 'absent') return { isProven: true };
    return { isProven: false, mayChange: true, reason: REASONS[evidence] };
  }

  /**
   * Returns the period in which the withdrawal can have been sent, by the exchange's clock. That clock may differ from
   * ours by WITHDRAWAL_CLOCK_SKEW_MS. The period begins with the reading of `totalBefore`, at most EXECUTE_WAIT_MS
   * before the attempt.
   */
  private sentBetween({ startedAt, leaseUntil }: WithdrawalAttempt): [Date, Date] {
    const { EXECUTE_WAIT_MS: callMs } = this.config.values;
    const { WITHDRAWAL_CLOCK_SKEW_MS: skewMs } = this.config.constants;
    return [new Date(startedAt.getTime() - skewMs - callMs), new Date(leaseUntil.getTime() + skewMs)];
  }

  /** Returns null when the exchange has no list of movements, or when this key may not read the list. */
  private async movements({
    session,
    withdrawal,
    attempt,
  }: AbsenceQuestion): Promise<AccountMovement[] | null | 'unreadable'> {
    const since = new Date(attempt.startedAt.getTime() - MOVEMENT_LOOKBACK_MS);
    return this.readable(session.withdrawals?.movements?.(withdrawal.asset, since));
  }

  /** Returns null when the exchange has no such list, or when this key may not read it. */
  private async readable<T>(read: Promise<T> | undefined): Promise<T | null | 'unreadable'> {
    try {
      return (await read) ?? null;
    } catch (error) {
      if (!(error instanceof ExchangeError)) throw error;
      return error.kind === 'permission_missing' ? null : 'unreadable';
    }
  }

  /**
   * Returns a function that decides whether a movement belongs to another withdrawal. This is certain in two cases:
   * - The movement's record was listed before the attempt, is linked to another withdrawal with the same credentials,
   *   or has failed.
   * - The record has another amount or address than this withdrawal, and the movement has another amount, too.
   */
  private async otherWithdrawals(
    { session, withdrawal, attempt, failedIds }: AbsenceQuestion,
    movements: AccountMovement[],
  ): Promise<(movement: AccountMovement) => boolean> {
    const references = movements.flatMap(({ kind, reference }) =>
      kind === 'withdrawal' && reference !== null ? [reference] : [],
    );
    const { unlinked, ofOtherCredentials } = await this.store.findCandidates(withdrawal, attempt, references);
    const open = new Set([...unlinked, ...ofOtherCredentials].filter((id) => !failedIds.includes(id)));
    const since = new Date(attempt.startedAt.getTime() - RECORD_LOOKBACK_MS);
    // The list need not be complete, because a movement without a listed record may be this withdrawal.
    const listed = open.size === 0 ? [] : ((await session.withdrawals?.list(since))?.records ?? []);
    await this.refusals.compare(withdrawal.walletId, listed);
    const unlike = new Set(listed.filter((record) => !isAlike(withdrawal, record)).map(({ exchangeId }) => exchangeId));
    const failed = new Set(listed.filter((record) => !hasMoved(record)).map(({ exchangeId }) => exchangeId));
    const debits = debitsOf(withdrawal);
    return ({ reference, change }) => {
      if (reference === null) return false;
      if (!open.has(reference) || failed.has(reference)) return true;
      return unlike.has(reference) && !debits.some((debit) => change.abs().equals(debit));
    };
  }
}

/** Whether the exchange answered with a definite refusal, which the account did not confirm at once. */
function wasRefused({ answer }: WithdrawalAttempt): boolean {
  return answer?.['refusedWith'] !== undefined;
}

/** The possible debits: some exchanges include the fee in a movement, others do not. */
function debitsOf({ amountWithFee, amountNoFee }: Withdrawal): Amount[] {
  return [amountWithFee, amountNoFee];
}

function totalsOf(balances: readonly AssetBalance[]): Map<string, Amount> {
  return new Map(balances.flatMap(({ asset, total, holdings }) => [...(holdings ?? [[asset, total] as const])]));
}
