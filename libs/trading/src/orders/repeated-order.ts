import { errorCodes } from '#platform/errors';
import { OrderInDoubt, OrderKeyReused, OrderRefused } from './order.errors.js';
import type { Order } from './order.entity.js';

/**
 * Returns the order of an earlier request with the same `Idempotency-Key`, whose process may have died before it
 * responded.
 * @param earlier an order that may have been sent, or that was refused for good before anything was sent
 * @param asked the route, side, type, volume and price of the present request, as text
 * @throws OrderKeyReused when the earlier request asked for a different order
 * @throws OrderInDoubt while the earlier order is being placed
 */
export function answeredBefore(earlier: Order, asked: string, now: Date): Order {
  if (earlier.asked !== asked) throw new OrderKeyReused(earlier.id);
  if (earlier.state === 'placing' && earlier.leaseUntil > now) throw new OrderInDoubt(earlier.id);
  return earlier;
}

/** Returns the order unless it was refused. @throws OrderRefused */
export function accepted(order: Order): Order {
  const refused = OrderRefused.of(order);
  if (refused !== null) throw refused;
  return order;
}

/** Refusals that a repeat may overcome: temporary refusals and invalid requests. */
const NOT_KEPT: readonly string[] = [
  'GENERIC_VALIDATION_ERROR',
  'TRADING_ROUTE_UNAVAILABLE',
  'TRADING_ORDER_TYPE_NOT_SUPPORTED',
  'WALLET_INVALID_CREDENTIALS',
];

/** A request may be executed again after one of these errors, if nothing was sent. */
export const TRIED_AGAIN: readonly string[] = Object.entries(errorCodes)
  .filter(([code, { status }]) => status >= 500 || status === 429 || NOT_KEPT.includes(code))
  .map(([code]) => code);
