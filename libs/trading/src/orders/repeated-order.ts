import { errorCodes } from '#platform/errors';
import { OrderInDoubt, OrderKeyReused, OrderRefused } from './order.errors.js';
import type { Order } from './order.entity.js';

/**
 * What a repeat under the same `Idempotency-Key` is answered from the row of the first request, which a process that died
 * could not answer.
 * @param earlier not one that says that nothing was begun (`TRIED_AGAIN`).
 * @throws OrderKeyReused when it asked for something else; OrderInDoubt while it is being placed.
 */
export function answeredBefore(earlier: Order, asked: string, now: Date): Order {
  if (earlier.asked !== asked) throw new OrderKeyReused(earlier.id);
  if (earlier.state === 'placing' && earlier.leaseUntil > now) throw new OrderInDoubt(earlier.id);
  return earlier;
}

/** @throws OrderRefused when there is no order. */
export function accepted(order: Order): Order {
  const refused = OrderRefused.of(order);
  if (refused !== null) throw refused;
  return order;
}

/** Not in this form, not now, and a key of the exchange that one call alone has called invalid. */
const NOT_KEPT: readonly string[] = [
  'GENERIC_VALIDATION_ERROR',
  'TRADING_ROUTE_UNAVAILABLE',
  'TRADING_ORDER_TYPE_NOT_SUPPORTED',
  'WALLET_INVALID_CREDENTIALS',
];

/** Of a row with one of these a request may be carried out again. */
export const TRIED_AGAIN: readonly string[] = Object.entries(errorCodes)
  .filter(([code, { status }]) => status >= 500 || status === 429 || NOT_KEPT.includes(code))
  .map(([code]) => code);
