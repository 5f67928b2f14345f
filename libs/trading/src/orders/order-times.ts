import type { Config } from '#platform/config';
import type { Order } from './order.entity.js';

const SECOND_MS = 1_000;

/** Returns a moment before the order was sent, by the exchange's clock. */
export function sentAfter({ createdAt }: Pick<Order, 'createdAt'>, { constants }: Pick<Config, 'constants'>): Date {
  return new Date(createdAt.getTime() - constants.ORDER_SETTLE_SECONDS * SECOND_MS);
}

/**
 * Returns the moment from which a search that does not show the order proves that there is none: the exchange can no
 * longer accept the order, and its clock and its lists have had ORDER_SETTLE_SECONDS.
 * @param signedForMs for how long the exchange accepts a signed request
 * @returns null when the exchange may accept the request at any time
 */
export function provableFrom(
  { submissionDeadline, leaseUntil }: Pick<Order, 'submissionDeadline' | 'leaseUntil'>,
  signedForMs: number | null,
  { constants }: Pick<Config, 'constants'>,
): Date | null {
  const settleMs = constants.ORDER_SETTLE_SECONDS * SECOND_MS;
  if (submissionDeadline !== null) return new Date(submissionDeadline.getTime() + settleMs);
  // No request is signed after the end of the lease.
  return signedForMs === null ? null : new Date(leaseUntil.getTime() + signedForMs + settleMs);
}

/**
 * Returns when an order that was reported as refused or as never placed is searched again, after pauses that grow with
 * its age; null = not any more.
 */
export function nextComparison(
  { createdAt }: Pick<Order, 'createdAt'>,
  at: Date,
  { constants }: Pick<Config, 'constants'>,
): Date | null {
  const ageMs = at.getTime() - createdAt.getTime();
  const pauseMs = Math.max(ageMs, constants.ORDER_COMPARISON_SECONDS * SECOND_MS);
  const isOver = ageMs + pauseMs > constants.ORDER_COMPARED_FOR_SECONDS * SECOND_MS;
  return isOver ? null : new Date(at.getTime() + pauseMs);
}
