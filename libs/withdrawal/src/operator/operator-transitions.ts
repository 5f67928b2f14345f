import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
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
      // Only an unknown outcome is decided here: an attempt that the exchange accepted stays accepted, also when the
      // withdrawal failed later.
      const outcome = exchangeId === null ? 'not_executed' : 'accepted';
      if (attempt?.outcome === 'unknown') {
        const answer = attempt.answer ?? {};
        await this.decide(tx, attempt, { from: ['unknown'], outcome, now, answer, exchangeId });
      }
      const end = { now, nextCheckAt: null };
      if (exchangeId === null) return this.move(tx, withdrawal, { from: ['review'], to: 'failed', ...end });
      await this.transactions.link(tx, withdrawal.transactionId, { exchangeTransactionId: exchangeId });
      await this.move(tx, withdrawal, { from: ['review'], to: 'submitted', now, nextCheckAt: now, exchangeId });
      return state === 'submitted' || this.move(tx, withdrawal, { from: ['submitted'], to: state, ...end });
    });
  }
}
