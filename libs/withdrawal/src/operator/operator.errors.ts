import { Conflict } from '#platform/errors';
import type { WithdrawalState } from '../withdrawals/withdrawal-state.js';

/** The withdrawal is not in review, so an operator cannot decide about it. */
export class NotInReview extends Conflict {
  constructor(state: WithdrawalState) {
    super(`The withdrawal has the state ${state}; operators decide only withdrawals in review`);
  }
}

/** The exchange's record belongs to another withdrawal. */
export class LinkedToAnother extends Conflict {
  constructor(exchangeId: string, withdrawalId: string) {
    super(`The record ${exchangeId} of the exchange is already linked to the withdrawal ${withdrawalId}`);
  }
}

/** The operator's decision contradicts known facts; the message names the contradiction. */
export class DecisionRefused extends Conflict {
  constructor(message: string) {
    super(message);
  }
}
