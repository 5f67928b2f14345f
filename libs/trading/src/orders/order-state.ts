import type { OrderStatus } from '#exchange';

/** Where an order stands with us. The database repeats the list and the transitions. */
export const orderStates = ['placing', 'unknown', 'refused', 'not_placed', 'open', 'closed'] as const;
export type OrderState = (typeof orderStates)[number];

/**
 * `placing`: written down, and being sent; `unknown`: sent, and nobody knows what became of it; `open`: the exchange has it;
 * `refused`, `not_placed`: the exchange has none; `closed`: it has come to its end at the exchange. There is no way from
 * `placing` or `unknown` back to sending.
 */
export const orderTransitions: Readonly<Record<OrderState, readonly OrderState[]>> = {
  placing: ['unknown', 'refused', 'not_placed', 'open', 'closed'],
  unknown: ['refused', 'not_placed', 'open', 'closed'],
  open: ['closed'],
  refused: [],
  not_placed: [],
  closed: [],
};

/** Nothing of it will change any more. */
export function isFinal(state: OrderState): boolean {
  return orderTransitions[state].length === 0;
}

/** The exchange has none, as far as we know. */
export function countsAsNone(state: OrderState): boolean {
  return state === 'refused' || state === 'not_placed';
}

/** Whether the exchange has it is not known. */
export function isInDoubt(state: OrderState): boolean {
  return state === 'placing' || state === 'unknown';
}

/** An order is at its end at the exchange with these. */
export function isFinalStatus(status: OrderStatus): boolean {
  return status === 'filled' || status === 'canceled' || status === 'expired';
}
