import { meaningOf, refusalsIn, type ErrorMap } from '../transport/error-map.js';
import type { ExchangeError } from '../port/exchange-error.js';
import { errorFromResponse, errorWithoutResponse } from '../transport/failed-read.js';
import type { HttpResponse } from '../transport/transport.js';

/** A call got a response that is no success. */
export class Unsuccessful extends Error {
  constructor(readonly response: HttpResponse) {
    super(`the response has the HTTP status ${response.status}`);
    this.name = 'Unsuccessful';
  }
}

/** Interprets a failed read by the response of the exchange. */
export function toExchangeError(exchange: string, errorMap: ErrorMap, error: unknown): ExchangeError {
  if (!(error instanceof Unsuccessful)) return errorWithoutResponse(exchange, error);
  return errorFromResponse(exchange, errorMap, error.response, error);
}

/**
 * Whether the exchange refused the read because of its nonce. The read may then be sent again at once with a new nonce.
 */
export function mayRetry(errorMap: ErrorMap, error: unknown): boolean {
  if (!(error instanceof Unsuccessful)) return false;
  const errors = refusalsIn(errorMap, error.response);
  return errors.length > 0 && errors.every((each) => meaningOf(errorMap, each)?.retryable === true);
}
