import { InvalidRequest } from '#platform/errors';
import type { WithdrawalState } from '../execution/withdrawal-state.js';

/** An operator decides about what is in review and about nothing else. */
export class NotInReview extends InvalidRequest {
  constructor(state: WithdrawalState | 'settled') {
    super(`It is ${state}, not in review`, { status: 409 });
  }
}

/** The record of the exchange belongs to another withdrawal. */
export class LinkedToAnother extends InvalidRequest {
  constructor(exchangeId: string, withdrawalId: string) {
    super(`${exchangeId} is already linked to the withdrawal ${withdrawalId}`, { status: 409 });
  }
}

/** What the operator says is not what can be: the message tells why. */
export class DecisionRefused extends InvalidRequest {
  constructor(message: string) {
    super(message, { status: 409 });
  }
}
