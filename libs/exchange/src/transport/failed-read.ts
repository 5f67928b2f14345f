import { OverBudget } from './call-queue.js';
import { kindOf, meaningOf, refusalsIn, type ErrorMap } from './error-map.js';
import { ExchangeError, type ExchangeErrorKind } from '../port/exchange-error.js';
import { demandedPauseMs } from './pauses.js';
import { NoResponse, TOO_LARGE, UNDECODABLE, type HttpResponse } from './transport.js';

const UNREADABLE = 'unreadable response';

/**
 * The exchange responded, but the response cannot be used safely: it is unreadable, or contradicts itself or the
 * request. Like a missing response, it does not show whether the exchange executed the request. Callers see from the
 * reason that the exchange was reached.
 * @param what the problem with the response. It is shown to callers, so it must contain no text of the exchange.
 */
export class UnusableResponse extends ExchangeError {
  constructor(exchange: string, what: string, cause?: unknown) {
    super('unavailable', exchange, what, { reason: 'unusable_answer', cause });
  }
}

/** A search did not find an order. This proves nothing, because the exchange may no longer list an order of its age. */
export class OrderTooOld extends UnusableResponse {
  constructor(exchange: string) {
    super(exchange, 'the exchange may no longer list an order of this age');
  }
}

/**
 * The error of a call without a usable response: `rate_limited` if our own limit of calls prevented the call, else
 * `unavailable`. An `ExchangeError` is returned unchanged.
 */
export function errorWithoutResponse(exchange: string, error: unknown): ExchangeError {
  if (error instanceof ExchangeError) return error;
  if (error instanceof OverBudget) {
    const { retryAfterMs } = error;
    return new ExchangeError('rate_limited', exchange, error.message, {
      ...{ reason: 'own_limit', retryAfterMs, cause: error },
    });
  }
  if (error instanceof NoResponse && (error.reason === TOO_LARGE || error.reason === UNDECODABLE))
    return new UnusableResponse(exchange, error.reason, error);
  const message = error instanceof NoResponse ? error.message : 'the call to the exchange failed';
  return new ExchangeError('unavailable', exchange, message, { cause: error });
}

/**
 * Interprets the response to a failed call: by the exchange's own error code, else by the HTTP status.
 * @param otherwise the kind when neither the code nor the status decides; never `credentials_invalid`, which requires a
 * listed code of the exchange
 */
export function errorFromResponse(
  exchange: string,
  errorMap: ErrorMap,
  response: HttpResponse,
  otherwise: { kind: Exclude<ExchangeErrorKind, 'credentials_invalid'>; cause?: unknown },
): ExchangeError {
  const { kind: unlisted, cause } = otherwise;
  const [reported] = refusalsIn(errorMap, response);
  const retryAfterMs = demandedPauseMs(response);
  if (reported === undefined) {
    const kind = kindOfRefusal(response) ?? unlisted;
    if (kind === 'unavailable' && response.status === 200) return new UnusableResponse(exchange, UNREADABLE, cause);
    return new ExchangeError(
      kind,
      exchange,
      `the exchange responded with HTTP ${response.status}, without an error code`,
      { retryAfterMs, cause },
    );
  }
  const rawCode = reported.code;
  const meaning = meaningOf(errorMap, reported);
  if (meaning === null)
    return new ExchangeError(kindOfRefusal(response) ?? unlisted, exchange, rawCode, { rawCode, retryAfterMs, cause });
  const { code, reason } = meaning;
  return new ExchangeError(kindOf(meaning), exchange, rawCode, { code, reason, rawCode, retryAfterMs, cause });
}

/** The kind of a failure whose response has no listed error code; null = the response does not show it. */
function kindOfRefusal({ status, limitsReached = [] }: HttpResponse): 'rate_limited' | 'unavailable' | null {
  if (status === 429 || status === 418 || limitsReached.some(({ shownBy }) => shownBy !== 'header'))
    return 'rate_limited';
  // A failing gateway may send any body, even the refusal of another request.
  return status >= 500 ? 'unavailable' : null;
}

/** Parses the body of a response. @throws UnusableResponse when `read` throws */
export function readResponse<T>(exchange: string, call: string, body: unknown, read: (body: unknown) => T): T {
  try {
    return read(body);
  } catch (error) {
    if (error instanceof ExchangeError) throw error;
    throw new UnusableResponse(exchange, `${UNREADABLE} of ${call}`, error);
  }
}
