import { errorCodes, type ErrorCode } from '#platform/errors';
import { OrderInDoubt, OrderKeyReused, OrderRefused } from './order.errors.js';
import type { Order } from './order.entity.js';

/**
 * What a repeat under the same `Idempotency-Key` is answered from the row of the first request, which a process that died
 * could not answer.
 * @returns null when that row says that nothing was begun, and the request may be carried out again.
 * @throws OrderKeyReused when it asked for something else; OrderInDoubt while it is being placed.
 */
export function answeredBefore(earlier: Order, asked: string, now: Date): Order | null {
  if (mayBeTriedAgain(earlier)) return null;
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

/** Not in this form, and a key of the exchange that one call alone has called invalid. */
const TRIED_AGAIN: readonly ErrorCode[] = ['GENERIC_VALIDATION_ERROR', 'WALLET_INVALID_CREDENTIALS'];

/** The same refusals as those that an `Idempotency-Key` does not keep: they say "not now", or "not so". */
function mayBeTriedAgain({ errorCode }: Order): boolean {
  if (errorCode === null) return false;
  const { status } = errorCodes[errorCode];
  return status >= 500 || status === 429 || TRIED_AGAIN.includes(errorCode);
}
