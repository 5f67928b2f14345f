import { meaningOf, refusalsIn, type ErrorMap } from '../transport/error-map.js';
import type { ExchangeError } from '../port/exchange-error.js';
import { errorFromResponse, errorWithoutResponse } from '../transport/failed-read.js';
import { responseBehind } from './ccxt-class.js';

/**
 * Interprets a failed read by the response of the exchange. The class of the library's error decides nothing, because
 * it can mislead: a 403 without a body becomes a network error.
 */
export function toExchangeError(exchange: string, errorMap: ErrorMap, error: unknown): ExchangeError {
  const response = responseBehind(error);
  if (response === null) return errorWithoutResponse(exchange, error);
  return errorFromResponse(exchange, errorMap, response, error);
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
