import type { Config } from '#platform/config';
import type { Order } from './order.entity.js';

/**
 * The SQL condition of orders that wait for an operator: their outcome is unknown, and the worker has not settled them
 * in ORDER_REVIEW_SECONDS or can no longer ask the exchange.
 * @param since the parameter with the time of `reviewSince`
 */
export const IN_REVIEW = (since: string): string =>
  `(state = 'unknown' and (next_check_at is null or created_at < ${since}))`;

/**
 * The SQL condition of open orders that have ended, and whose exchange no longer shows whether they were executed. An
 * operator can record how they ended.
 */
export const IS_UNLISTED = `(state = 'open' and status = 'unknown' and raw_status = 'not_listed')`;

/** Whether the order meets the condition of `IS_UNLISTED`. */
export function isUnlisted({ state, status, rawStatus }: Pick<Order, 'state' | 'status' | 'rawStatus'>): boolean {
  return state === 'open' && status === 'unknown' && rawStatus === 'not_listed';
}

/** An order with an unknown outcome that was created before this time waits for an operator. */
export function reviewSince(now: Date, { constants }: Pick<Config, 'constants'>): Date {
  return new Date(now.getTime() - constants.ORDER_REVIEW_SECONDS * 1_000);
}

/** Whether the order waits for an operator, like `IN_REVIEW`. */
export function isInReview(
  { state, nextCheckAt, createdAt }: Pick<Order, 'state' | 'nextCheckAt' | 'createdAt'>,
  since: Date,
): boolean {
  return state === 'unknown' && (nextCheckAt === null || createdAt < since);
}
