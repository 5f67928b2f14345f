import { Injectable } from '@nestjs/common';
import { CredentialsReplaced } from '#wallet';
import type { WithdrawalAttempt } from '../withdrawals/withdrawal-attempt.entity.js';
import type { AttemptOutcome, WithdrawalState } from '../withdrawals/withdrawal-state.js';
import { WithdrawalTransitions } from '../withdrawals/withdrawal-transitions.js';
import type { Withdrawal } from '../withdrawals/withdrawal.entity.js';

/** The outcomes of attempts that have moved no money, as far as was known. */
export const refusedOutcomes: AttemptOutcome[] = ['rejected', 'verification_required', 'not_sent', 'not_executed'];

/** The states from which a withdrawal without an id of the exchange can be opened again. */
export const reopenableStates: WithdrawalState[] = ['rejected', 'failed', 'created', 'verification_required'];

/** Takes back that a withdrawal was refused or not executed, because the exchange shows it. */
@Injectable()
export class ReopenWithdrawal extends WithdrawalTransitions {
  /**
   * Moves the withdrawal to `review`, opens its transaction again and stops equal withdrawals, until an operator
   * decides.
   * @param exchangeId the id of the record that the exchange shows
   * @returns false when the withdrawal or the attempt has changed meanwhile.
   */
  execute(withdrawal: Withdrawal, attempt: WithdrawalAttempt, exchangeId: string, now: Date): Promise<boolean> {
    return this.write(withdrawal, async (tx) => {
      const answer = { ...attempt.answer, laterRecord: exchangeId };
      const decision = { from: refusedOutcomes, outcome: 'disputed' as const, now, answer };
      if (!(await this.decide(tx, attempt, decision))) return false;
      const move = { from: reopenableStates, to: 'review' as const, now, nextCheckAt: null };
      // The attempt belongs to a withdrawal that another process has opened again or sent again.
      if (!(await this.move(tx, withdrawal, move))) throw new WithdrawalChanged();
      await this.transactions.reopen(tx, withdrawal.transactionId, now);
      const { id: holder, credentialVersion: version } = withdrawal;
      // An operator asks the exchange with the same credentials, if they still exist.
      await this.wallets.hold(tx, { id: withdrawal.walletId }, { holder, version }).catch((error: unknown) => {
        if (!(error instanceof CredentialsReplaced)) throw error;
      });
      await this.topics.reopened(tx, withdrawal.quoteId);
      return true;
    }).catch((error: unknown) => {
      if (error instanceof WithdrawalChanged) return false;
      throw error;
    });
  }
}

/** Rolls back the decision about the attempt. */
class WithdrawalChanged extends Error {}
