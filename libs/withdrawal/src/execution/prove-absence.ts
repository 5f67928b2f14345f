import { Injectable } from '@nestjs/common';
import {
  ExchangeError,
  totalHeld,
  type AccountMovement,
  type AssetBalance,
  type ExchangeSession,
  type ListedWithdrawal,
} from '#exchange';
import type { Amount } from '#money';
import { Config } from '#platform/config';
import { weighMovements } from './movement-evidence.js';
import { isAlike } from './record-likeness.js';
import { MOVEMENT_LOOKBACK_MS, RECORD_LOOKBACK_MS } from './record-lookback.js';
import type { WithdrawalAttempt } from './withdrawal-attempt.entity.js';
import type { Withdrawal } from './withdrawal.entity.js';
import { WithdrawalStore } from './withdrawal-store.js';

export type AbsenceEvidence =
  | { isProven: true }
  /** `mayChange`: the ledger of the exchange may show more a little later. */
  | { isProven: false; mayChange: boolean; reason: string };

/** The withdrawal whose absence is in question, at its exchange. */
export interface AbsenceQuestion {
  session: ExchangeSession;
  withdrawal: Withdrawal;
  attempt: WithdrawalAttempt;
  /** Records of the exchange that have failed, and so have moved nothing. */
  failedIds: readonly string[];
}

const CHANGED = 'the exchange lists no movements and the balance has changed';
const UNREADABLE = 'the movements of the account could not be read';
const REASONS = {
  unexplained: 'a movement of the account may be the withdrawal',
  incomplete: 'the movements of the account do not explain its balance',
} as const;

/**
 * Asks an exchange for evidence that a withdrawal was not executed: the movements of the account where it lists them, else
 * an unchanged balance.
 */
@Injectable()
export class ProveAbsence {
  constructor(
    private readonly store: WithdrawalStore,
    private readonly config: Config,
  ) {}

  /** @throws ExchangeError when the exchange cannot be asked now. */
  async execute(question: AbsenceQuestion): Promise<AbsenceEvidence> {
    const { session, withdrawal, attempt } = question;
    const movements = await this.movements(question);
    if (movements === 'unreadable') return { isProven: false, mayChange: true, reason: UNREADABLE };
    const balances = await session.balances();
    const totalBefore = attempt.balanceBefore;
    const totalNow = totalHeld(balances, withdrawal.asset);
    if (movements === null || totalBefore === null) {
      const isProven = totalBefore?.equals(totalNow) === true;
      return isProven ? { isProven } : { isProven, mayChange: false, reason: CHANGED };
    }
    const evidence = weighMovements({
      ...{ totalBefore, totalNow, movements, debits: debitsOf(withdrawal), holdings: holdingsOf(balances) },
      sentBetween: this.sentBetween(attempt),
      isKnown: await this.otherWithdrawals(question, movements),
    });
    if (evidence === 'absent') return { isProven: true };
    return { isProven: false, mayChange: true, reason: REASONS[evidence] };
  }

  /**
   * By the exchange's clock, which may differ from ours by WITHDRAWAL_CLOCK_SKEW_MS. The balance was read in the same call
   * as the attempt was begun, so at most EXECUTE_WAIT_MS before it.
   */
  private sentBetween({ startedAt, leaseUntil }: WithdrawalAttempt): [Date, Date] {
    const { WITHDRAWAL_CLOCK_SKEW_MS: skewMs, EXECUTE_WAIT_MS: callMs } = this.config.values;
    return [new Date(startedAt.getTime() - skewMs - callMs), new Date(leaseUntil.getTime() + skewMs)];
  }

  /** Null where the exchange lists no movements, or not for this key. A list that is never whole ends with an operator. */
  private async movements({
    session,
    withdrawal,
    attempt,
  }: AbsenceQuestion): Promise<AccountMovement[] | null | 'unreadable'> {
    const since = new Date(attempt.startedAt.getTime() - MOVEMENT_LOOKBACK_MS);
    try {
      return (await session.withdrawals?.movements?.(withdrawal.asset, since)) ?? null;
    } catch (error) {
      if (!(error instanceof ExchangeError)) throw error;
      return error.kind === 'permission_missing' ? null : 'unreadable';
    }
  }

  /**
   * Whether a movement is that of another withdrawal: one that was listed before, one that belongs to another withdrawal of
   * ours, or one that the exchange lists with another amount or address and whose debit is another one, too. One that the
   * exchange lists as failed has paid nobody, whosever it is.
   */
  private async otherWithdrawals(
    { session, withdrawal, attempt, failedIds }: AbsenceQuestion,
    movements: AccountMovement[],
  ): Promise<(movement: AccountMovement) => boolean> {
    const references = movements.flatMap(({ kind, reference }) =>
      kind === 'withdrawal' && reference !== null ? [reference] : [],
    );
    const unlinked = await this.store.unlinked(withdrawal, attempt, references);
    const open = new Set(unlinked.filter((id) => !failedIds.includes(id)));
    const since = new Date(attempt.startedAt.getTime() - RECORD_LOOKBACK_MS);
    const listed = open.size === 0 ? [] : ((await session.withdrawals?.list(since)) ?? []);
    const unlike = new Set(listed.filter((record) => !isAlike(withdrawal, record)).map(({ exchangeId }) => exchangeId));
    const failed = new Set(listed.filter(hasFailed).map(({ exchangeId }) => exchangeId));
    const debits = debitsOf(withdrawal);
    return ({ reference, change }) => {
      if (reference === null) return false;
      if (!open.has(reference) || failed.has(reference)) return true;
      return unlike.has(reference) && !debits.some((debit) => change.abs().equals(debit));
    };
  }
}

function hasFailed({ status }: ListedWithdrawal): boolean {
  return status === 'failed' || status === 'canceled';
}

/** Exchanges differ in whether a movement has the fee in it. */
function debitsOf({ amountWithFee, amountNoFee }: Withdrawal): Amount[] {
  return [amountWithFee, amountNoFee];
}

function holdingsOf(balances: readonly AssetBalance[]): Map<string, Amount> {
  return new Map(balances.map(({ asset, total }) => [asset, total]));
}
