import type { OrderOutcome, OrderType } from '#exchange';
import { errorCodes, type ErrorCode } from '#platform/errors';
import type { Refusal } from './order.errors.js';

/** An exchange's definite refusal in the words of the interface; its raw code goes along for support. */
export function refusalOf(outcome: Extract<OrderOutcome, { kind: 'rejected' }>): Refusal {
  const code = tradingCodeOf(outcome.code);
  return {
    code,
    message: `The exchange refused the order: ${describeReason(code, outcome.reason)}`,
    result: {
      exchangeCode: outcome.rawCode,
      ...(outcome.reason !== undefined && { reason: outcome.reason, ...routeDetails(code, outcome.reason) }),
    },
  };
}

/** The general codes say less than the reason. */
function describeReason(code: ErrorCode, reason: string | undefined): string {
  const saysMore = !code.startsWith('GENERIC_') && code !== 'TRADING_PROVIDER_ERROR';
  return saysMore || reason === undefined ? errorCodes[code].when : reason.replaceAll('_', ' ');
}

/** What `checkOrder` says of the same route as soon as the catalogue has been read again. */
function routeDetails(code: ErrorCode, reason: string): { status?: string; orderTypes?: OrderType[] } {
  if (code === 'TRADING_ROUTE_UNAVAILABLE') return { status: reason };
  return code === 'TRADING_ORDER_TYPE_NOT_SUPPORTED' && reason === 'limit_only' ? { orderTypes: ['limit'] } : {};
}

/** Nothing was begun; the same order can be placed again. */
export function notSentRefusal(): Refusal {
  return {
    code: 'TRADING_PROVIDER_ERROR',
    message: 'The exchange could not be reached: the order was not sent',
    result: { reason: 'not_sent' },
  };
}

/** Whether the same order was made before the database was restored is not certain yet. */
export function forgottenRefusal(): Refusal {
  return {
    code: 'TRADING_PROVIDER_ERROR',
    message: 'The database was restored: whether this order was made before is known in some minutes; repeat it then',
    result: { reason: 'database_restored' },
  };
}

/** It was looked for until it was certain; the same order can be placed again. */
export function notPlacedRefusal(): Refusal {
  return {
    code: 'TRADING_PROVIDER_ERROR',
    message: 'Nobody knew whether the order was made; it never was',
    result: { reason: 'not_placed' },
  };
}

/** What an exchange says of the account (unverified, a code is missing) has codes of withdrawals alone. */
function tradingCodeOf(code: ErrorCode): ErrorCode {
  return code.startsWith('WITHDRAWAL_') ? 'TRADING_PROVIDER_ERROR' : code;
}
