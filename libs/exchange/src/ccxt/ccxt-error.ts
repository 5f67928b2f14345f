import { meaningOf, refusalsIn, type ErrorMap } from '../transport/error-map.js';
import type { ExchangeError, ExchangeErrorKind } from '../port/exchange-error.js';
import { errorFromResponse, errorWithoutResponse } from '../transport/failed-read.js';
import { responseBehind } from './ccxt-class.js';

/**
 * Interprets a failed read by the response of the exchange. The class of the library's error is used only when the
 * response does not show the kind of the failure. The class can mislead: a 403 without a body becomes a network error.
 */
export function toExchangeError(exchange: string, errorMap: ErrorMap, error: unknown): ExchangeError {
  const response = responseBehind(error);
  if (response === null) return errorWithoutResponse(exchange, error);
  return errorFromResponse(exchange, errorMap, response, { kind: kindByClass(error), cause: error });
}

/**
 * Whether the exchange refused the read because of its nonce. The read may then be sent again at once with a new nonce.
 */
export function mayRetry(errorMap: ErrorMap, error: unknown): boolean {
  const response = responseBehind(error);
  if (response === null) return false;
  const errors = refusalsIn(errorMap, response);
  return errors.length > 0 && errors.every((each) => meaningOf(errorMap, each)?.retryable === true);
}

function kindByClass(error: unknown): Exclude<ExchangeErrorKind, 'credentials_invalid'> {
  const classes = classNames(error);
  if (classes.has('RateLimitExceeded') || classes.has('DDoSProtection')) return 'rate_limited';
  if (classes.has('PermissionDenied')) return 'permission_missing';
  if (classes.has('AuthenticationError') || classes.has('OperationFailed')) return 'unavailable';
  return classes.has('BaseError') ? 'refused' : 'unavailable';
}

function classNames(error: unknown): Set<string> {
  const names = new Set<string>();
  for (let proto: unknown = error; typeof proto === 'object' && proto !== null; proto = Object.getPrototypeOf(proto)) {
    names.add(proto.constructor.name);
  }
  return names;
}
