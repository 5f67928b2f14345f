import { Injectable } from '@nestjs/common';
import { unlessTaken } from './execution.errors.js';
import type { WithdrawalAttempt } from './withdrawal-attempt.entity.js';
import { WithdrawalTransitions } from './withdrawal-transitions.js';
import type { Withdrawal } from './withdrawal.entity.js';

/** Replaces a wrong id that the exchange gave for a withdrawal. */
@Injectable()
export class RecordCorrections extends WithdrawalTransitions {
  /**
   * Links a submitted withdrawal to the record that has our reference, and checks the withdrawal again at once. The
   * attempt keeps the wrong id as evidence, without which the database refuses another id.
   * @returns false when the withdrawal has changed meanwhile; then nothing is written.
   * @throws RecordTaken when the record belongs to another withdrawal; then nothing is written.
   */
  correct(withdrawal: Withdrawal, attempt: WithdrawalAttempt, exchangeId: string, now: Date): Promise<boolean> {
    const { id, transactionId, exchangeId: wrongId } = withdrawal;
    const correct = (): Promise<boolean> =>
      this.write(withdrawal, async (tx) => {
        const [current] = await this.db.query(
          `select from withdrawals where id = $1 and state = 'submitted' and exchange_id = $2`,
          [id, wrongId],
          tx,
        );
        if (current === undefined) return false;
        const answer = { ...attempt.answer, wrongId };
        const decision = { from: ['accepted' as const], outcome: 'accepted' as const, now, answer, exchangeId };
        if (!(await this.decide(tx, attempt, decision))) return false;
        await this.db.query(
          `update withdrawals set exchange_id = $2, updated_at = $3, next_check_at = $3, check_count = 0,
             unconfirmed_since = null, unanswered_since = null
           where id = $1`,
          [id, exchangeId, now],
          tx,
        );
        await this.transactions.relink(tx, transactionId, exchangeId);
        return true;
      });
    return unlessTaken(exchangeId, correct);
  }
}
