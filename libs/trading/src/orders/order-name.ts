import { DAY_MS } from '#platform/clock';
import type { Wallet } from '#wallet';

const PERIOD_MS = 365 * DAY_MS;

/**
 * Returns the number of the period of a request; periods last 365 days and begin in 1970. Orders with the same
 * `Idempotency-Key` are numbered within a period. All rows of a period are stored until the period is over, see
 * `keep_order`. So the deletion of old orders never gives a new order the client order id of an old one, for which an
 * exchange may return the old one.
 */
export function periodOf(time: Date): number {
  return Math.floor(time.getTime() / PERIOD_MS);
}

/** Returns the beginning of the period of a request. */
export function periodStart(time: Date): Date {
  return new Date(periodOf(time) * PERIOD_MS);
}

/**
 * Returns the name from which the client order id is derived for an `Idempotency-Key`.
 * @param time of the request
 * @param earlier number of orders with the same key in the period of `time`, whose key has expired
 */
export function nameOfOrder(
  { projectId, externalId }: Pick<Wallet, 'projectId' | 'externalId'>,
  key: string,
  time: Date,
  earlier: number,
): string {
  return JSON.stringify([projectId, externalId, key, periodOf(time), earlier]);
}
