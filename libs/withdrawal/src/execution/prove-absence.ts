import { Injectable } from '@nestjs/common';
import { ExchangeError, type AccountMovement, type ExchangeSession } from '#exchange';
import { Amount } from '#money';
import { weighMovements } from './movement-evidence.js';
import { isAlike } from './record-likeness.js';
import { RECORD_LOOKBACK_MS } from './record-lookback.js';
import type { WithdrawalAttempt } from './withdrawal-attempt.entity.js';
import type { Withdrawal } from './withdrawal.entity.js';
import { WithdrawalStore } from './withdrawal-store.js';

export type AbsenceEvidence =
  | { isProven: true }
  /** `mayChange`: the ledger of the exchange may show more a little later. */
  | { isProven: false; mayChange: boolean; reason: string };

/**
 * Asks an exchange that promises no last moment for evidence that a withdrawal was not executed: the movements of the
 * account where it lists them, else an unchanged balance.
 */
@Injectable()
export class ProveAbsence {
  constructor(private readonly store: WithdrawalStore) {}

  /** @throws ExchangeError when the exchange cannot be asked now. */
  async execute(session: ExchangeSession, w: Withdrawal, attempt: WithdrawalAttempt): Promise<AbsenceEvidence> {
    const { balanceBefore } = attempt;
    // Movements first: what happens between the two calls makes the balance unexplained, and never the other way round.
    const movements = await this.movements(session, w, attempt);
    const balanceNow = (await session.balances()).find(({ asset }) => asset === w.asset)?.total ?? Amount.zero;
    if (movements === null || balanceBefore === null) {
      if (balanceBefore?.equals(balanceNow) === true) return { isProven: true };
      return {
        isProven: false,
        mayChange: false,
        reason: 'the exchange lists no movements and the balance has changed',
      };
    }
    const known = await this.knownIds(session, w, attempt, movements);
    const isKnown = (exchangeId: string): boolean => known.has(exchangeId);
    switch (weighMovements({ balanceBefore, balanceNow, movements, isKnown })) {
      case 'absent':
        return { isProven: true };
      case 'unexplained':
        return { isProven: false, mayChange: true, reason: 'a movement of the account may be the withdrawal' };
      case 'incomplete':
        return { isProven: false, mayChange: true, reason: 'the movements of the account do not explain its balance' };
    }
  }

  /** Null where the exchange lists no movements, or not for this key. */
  private async movements(
    session: ExchangeSession,
    w: Withdrawal,
    attempt: WithdrawalAttempt,
  ): Promise<AccountMovement[] | null> {
    try {
      return (await session.withdrawals?.movements?.(w.asset, since(attempt))) ?? null;
    } catch (error) {
      if (error instanceof ExchangeError && error.kind === 'permission_missing') return null;
      throw error;
    }
  }

  /**
   * Withdrawals of the exchange that are certainly not this one: those that were there before, those that belong to other
   * withdrawals of ours, and those that the exchange lists with another amount or address.
   */
  private async knownIds(
    session: ExchangeSession,
    w: Withdrawal,
    attempt: WithdrawalAttempt,
    movements: AccountMovement[],
  ): Promise<Set<string>> {
    const references = movements.flatMap(({ kind, reference }) =>
      kind === 'withdrawal' && reference !== null ? [reference] : [],
    );
    const open = await this.store.unlinked(w, attempt, references);
    if (open.length === 0) return new Set(references);
    const listed = (await session.withdrawals?.list(since(attempt))) ?? [];
    const others = new Set(listed.filter((record) => !isAlike(w, record)).map(({ exchangeId }) => exchangeId));
    return new Set(references.filter((reference) => !open.includes(reference) || others.has(reference)));
  }
}

function since({ startedAt }: WithdrawalAttempt): Date {
  return new Date(startedAt.getTime() - RECORD_LOOKBACK_MS);
}
