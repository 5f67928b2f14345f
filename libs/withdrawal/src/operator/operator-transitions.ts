import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { WithdrawalAttempt } from '../execution/withdrawal-attempt.entity.js';
import { WithdrawalTransitions } from '../execution/withdrawal-transitions.js';
import type { Withdrawal } from '../execution/withdrawal.entity.js';

/** What only an operator may write down. */
@Injectable()
export class OperatorTransitions extends WithdrawalTransitions {
  /**
   * An operator's decision about one in review. `alongside` writes what belongs to it, in the same transaction and first;
   * when the row has moved on nothing is written.
   */
  decided(
    w: Withdrawal,
    attempt: WithdrawalAttempt | null,
    { state, exchangeId }: { state: 'submitted' | 'completed' | 'failed'; exchangeId: string | null },
    now: Date,
    alongside: (tx: EntityManager) => Promise<void>,
  ): Promise<boolean> {
    return this.write(w, async (tx) => {
      const [current] = await this.db.query(`select from withdrawals where id = $1 and state = 'review'`, [w.id], tx);
      if (current === undefined) return false;
      await alongside(tx);
      // One that was accepted stays so, whatever became of it afterwards.
      const outcome = exchangeId === null ? 'not_executed' : 'accepted';
      if (attempt?.outcome === 'unknown') {
        await this.decide(tx, attempt, ['unknown'], outcome, now, attempt.answer ?? {}, exchangeId);
      }
      if (exchangeId === null) return this.move(tx, w, ['review'], 'failed', now, null);
      await this.transactions.link(tx, w.transactionId, { exchangeTransactionId: exchangeId });
      await this.move(tx, w, ['review'], 'submitted', now, now, exchangeId);
      return state === 'submitted' || this.move(tx, w, ['submitted'], state, now, null);
    });
  }
}
