import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { AttemptOutcome } from '../withdrawals/withdrawal-state.js';
import type { WithdrawalAttempt } from '../withdrawals/withdrawal-attempt.entity.js';
import { WithdrawalTransitions } from '../withdrawals/withdrawal-transitions.js';
import type { Withdrawal } from '../withdrawals/withdrawal.entity.js';

export interface OperatorDecision {
  state: 'submitted' | 'completed' | 'failed';
  /** The exchange's id of the withdrawal; null = no money has left. */
  exchangeId: string | null;
  now: Date;
  /**
   * Writes the audit entry of the decision and settles the linked unmatched record. Called first in the decision's
   * transaction.
   */
  alongside: (tx: EntityManager) => Promise<void>;
}

/** The transitions that only an operator may decide. */
@Injectable()
export class OperatorTransitions extends WithdrawalTransitions {
  /**
   * Records an operator's decision. Writes nothing when the withdrawal is no longer in review, and then returns false.
   */
  decided(
    withdrawal: Withdrawal,
    attempt: WithdrawalAttempt | null,
    { state, exchangeId, now, alongside }: OperatorDecision,
  ): Promise<boolean> {
    return this.write(withdrawal, async (tx) => {
      const [current] = await this.db.query(
        `select from withdrawals where id = $1 and state = 'review'`,
        [withdrawal.id],
        tx,
      );
      if (current === undefined) return false;
      await alongside(tx);
      await this.decideAttempt(tx, withdrawal, attempt, { exchangeId, now });
      const end = { now, nextCheckAt: null };
      if (exchangeId === null) return this.move(tx, withdrawal, { from: ['review'], to: 'failed', ...end });
      const { transactionId } = withdrawal;
      if (wrongIdOf(withdrawal, exchangeId) !== null) await this.transactions.relink(tx, transactionId, exchangeId);
      else await this.transactions.link(tx, transactionId, { exchangeTransactionId: exchangeId });
      await this.move(tx, withdrawal, { from: ['review'], to: 'submitted', now, nextCheckAt: now, exchangeId });
      return state === 'submitted' || this.move(tx, withdrawal, { from: ['submitted'], to: state, ...end });
    });
  }

  /**
   * An attempt that the exchange accepted stays accepted, also when the withdrawal failed later. `byOperator` lets the
   * worker follow the record that the operator has named, whatever references the records have.
   */
  private async decideAttempt(
    tx: EntityManager,
    withdrawal: Withdrawal,
    attempt: WithdrawalAttempt | null,
    { exchangeId, now }: Pick<OperatorDecision, 'exchangeId' | 'now'>,
  ): Promise<void> {
    if (attempt === null) return;
    const open: AttemptOutcome[] = ['unknown', 'disputed'];
    if (exchangeId === null) {
      await this.decide(tx, attempt, { from: open, outcome: 'not_executed', now, answer: attempt.answer ?? {} });
      return;
    }
    const wrongId = wrongIdOf(withdrawal, exchangeId);
    const answer = { ...attempt.answer, ...(wrongId !== null && { wrongId }), byOperator: true };
    await this.decide(tx, attempt, { from: [...open, 'accepted'], outcome: 'accepted', now, answer, exchangeId });
  }
}

/** Returns the id that the exchange gave, if the operator has named another one; else null. */
function wrongIdOf({ exchangeId: known }: Withdrawal, exchangeId: string): string | null {
  return known === exchangeId ? null : known;
}
