import { Conflict } from '#platform/errors';
import type { OrderState } from '../orders/order-state.js';

/** Evidence may still settle the order, or has settled it, so an operator cannot decide about it. */
export class OrderNotInReview extends Conflict {
  constructor(state: OrderState) {
    super(
      state === 'unknown' || state === 'placing'
        ? 'The worker still searches for the order at the exchange; operators decide only orders in review'
        : `The order has the state ${state}; operators decide only orders in review`,
    );
  }
}

/** The operator's decision contradicts known facts; the message names the contradiction. */
export class OrderDecisionRefused extends Conflict {
  constructor(message: string) {
    super(message);
  }
}
