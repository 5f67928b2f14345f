import { retryAfterSecondsOf, type OrderOutcome, type OrderType } from '#exchange';
import { generalMessageOf, type ErrorCode } from '#platform/errors';
import type { Refusal } from './order.errors.js';

const LIMITED =
  'The rate limit of the exchange is reached: wait as many seconds as Retry-After states, then place the order again';

/**
 * Converts a definite refusal of the exchange to an error that the API returns. The error contains the exchange's own
 * error code.
 */
export function refusalOf(outcome: Extract<OrderOutcome, { kind: 'rejected' }>): Refusal {
  const code = tradingCodeOf(outcome.code);
  return {
    code,
    message: messageOf(code, outcome.reason),
    result: {
      exchangeCode: outcome.rawCode,
      ...(outcome.reason !== undefined && { reason: outcome.reason, ...routeDetails(code, outcome.reason) }),
      ...pauseIn(outcome),
    },
  };
}

/** The pause that the exchange demands, in whole seconds. */
function pauseIn({ retryAfterMs }: { retryAfterMs?: number }): { retryAfterSeconds?: number } {
  return retryAfterMs === undefined ? {} : { retryAfterSeconds: retryAfterSecondsOf(retryAfterMs) };
}

/** Describes why the exchange refused. The exchange's reason is used when the error code is a general one. */
function messageOf(code: ErrorCode, reason: string | undefined): string {
  if (code === 'GENERIC_RATE_LIMIT_EXCEEDED') return LIMITED;
  const saysMore = !code.startsWith('GENERIC_') && code !== 'TRADING_PROVIDER_ERROR';
  if (code === 'TRADING_ORDER_TYPE_NOT_SUPPORTED' && reason === 'limit_only')
    return 'The exchange refused the order: the route accepts limit orders only';
  const why = saysMore ? generalMessageOf(code) : reason?.replaceAll('_', ' ');
  return `The exchange refused the order: ${why ?? 'Causeway does not know the reason (see result.exchangeCode)'}`;
}

/**
 * Returns the details that `checkOrder` gives for the same refusal. The exchange refuses such an order itself only
 * while the stored catalogue is out of date.
 */
function routeDetails(code: ErrorCode, reason: string): { status?: string; orderTypes?: OrderType[] } {
  if (code === 'TRADING_ROUTE_UNAVAILABLE') return { status: reason };
  return code === 'TRADING_ORDER_TYPE_NOT_SUPPORTED' && reason === 'limit_only' ? { orderTypes: ['limit'] } : {};
}

type NotSent = Extract<OrderOutcome, { kind: 'not_sent' }>;

/** The outcome of an order that needs more than the free balance of the account. */
export const UNFUNDED = { kind: 'not_sent', reason: 'insufficient_balance' } as const satisfies NotSent;

/**
 * Nothing was sent. The same order can be placed again; after `UNFUNDED` only with another Idempotency-Key.
 * @param outcome with `retryAfterMs` when a pause that the exchange demanded is not over
 */
export function notSentRefusal(outcome: Partial<NotSent> = {}): Refusal {
  if (outcome.reason === UNFUNDED.reason) {
    return {
      code: 'GENERIC_INVALID_REQUEST',
      message:
        'The free balance of the account at the exchange is smaller than this order needs, and nothing was sent: add funds or lower the volume, and place the order with a new Idempotency-Key',
      result: { reason: UNFUNDED.reason },
    };
  }
  const result = { reason: 'not_sent', ...pauseIn(outcome) };
  if (outcome.retryAfterMs !== undefined) return { code: 'GENERIC_RATE_LIMIT_EXCEEDED', message: LIMITED, result };
  return {
    code: 'TRADING_PROVIDER_ERROR',
    message:
      'The order could not be sent to the exchange; repeat the request, with the same Idempotency-Key if it has one',
    result,
  };
}

/** The same order may have been placed before the database was restored, so it is not sent now. */
export function forgottenRefusal(): Refusal {
  return {
    code: 'TRADING_PROVIDER_ERROR',
    message:
      'The database was restored, and it is not yet known whether the exchange has already accepted this order; repeat the request in some minutes',
    result: { reason: 'database_restored' },
  };
}

/** Replaces a code that exists only for withdrawals with the general code for orders. */
function tradingCodeOf(code: ErrorCode): ErrorCode {
  return code.startsWith('WITHDRAWAL_') ? 'TRADING_PROVIDER_ERROR' : code;
}
