import type { OrderStatus } from '#exchange';

/** The states of an order. The database enforces the same list and the same transitions. */
export const orderStates = ['placing', 'unknown', 'refused', 'not_placed', 'open', 'closed'] as const;
export type OrderState = (typeof orderStates)[number];

/**
 * `placing`: stored and being sent; `unknown`: sent, with unknown outcome; `open`: the exchange has the order;
 * `refused`, `not_placed`: the exchange has no such order; `closed`: final at the exchange. No transition leads back to
 * sending. An order that the exchange shows after it was recorded as `refused` or `not_placed` becomes `open` or
 * `closed`, with an alarm.
 */
export const orderTransitions: Readonly<Record<OrderState, readonly OrderState[]>> = {
  placing: ['unknown', 'refused', 'not_placed', 'open', 'closed'],
  unknown: ['refused', 'not_placed', 'open', 'closed'],
  open: ['closed'],
  refused: ['open', 'closed'],
  not_placed: ['open', 'closed'],
  closed: [],
};

/** Whether the exchange is no longer asked about the order. */
export function isSettled({ state, nextCheckAt }: { state: OrderState; nextCheckAt: Date | null }): boolean {
  return state === 'closed' || (countsAsNone(state) && nextCheckAt === null);
}

/** Whether the exchange has no such order, as far as we know. */
export function countsAsNone(state: OrderState): boolean {
  return state === 'refused' || state === 'not_placed';
}

/** Whether the outcome of sending the order is not known yet: the exchange may have the order. */
export function isInDoubt(state: OrderState): boolean {
  return state === 'placing' || state === 'unknown';
}

/** The statuses of an order that is final at the exchange. */
export function isFinalStatus(status: OrderStatus): boolean {
  return status === 'filled' || status === 'canceled' || status === 'expired';
}
