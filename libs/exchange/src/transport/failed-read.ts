import { OverBudget } from './call-queue.js';
import { blockPageMeaning } from './block-pages.js';
import { kindOf, meaningOf, parseBody, refusalsIn, type ErrorMap, type ReportedError } from './error-map.js';
import { ExchangeError } from '../port/exchange-error.js';
import { demandedPauseMs } from './pauses.js';
import { NoResponse, TOO_LARGE, UNDECODABLE, type HttpResponse } from './transport.js';

const UNREADABLE = 'unreadable response';
/** The reason of an error that the exchange reports, and that no declaration lists. */
export const UNLISTED = 'unlisted_error';
/** The reason of failures during the maintenance of an exchange. */
export const MAINTENANCE = 'maintenance';

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
      reason: 'own_limit',
      retryAfterMs,
      cause: error,
    });
  }
  if (error instanceof NoResponse && (error.reason === TOO_LARGE || error.reason === UNDECODABLE))
    return new UnusableResponse(exchange, error.reason, error);
  const message = error instanceof NoResponse ? error.message : 'the call to the exchange failed';
  return new ExchangeError('unavailable', exchange, message, { cause: error });
}

/**
 * Interprets the response to a failed call by the declarations alone: by the exchange's own error code, else by the
 * documented page of a content delivery network before the exchange, else by the HTTP status.
 */
export function errorFromResponse(
  exchange: string,
  errorMap: ErrorMap,
  response: HttpResponse,
  cause?: unknown,
): ExchangeError {
  const [reported] = refusalsIn(errorMap, response);
  const { kind, code, reason } = findingOf(errorMap, response, reported);
  if (reported === undefined && reason === undefined && kind === 'unavailable' && response.status === 200)
    return new UnusableResponse(exchange, UNREADABLE, cause);
  const text = `the exchange responded with HTTP ${response.status}, without an error code`;
  return new ExchangeError(kind, exchange, reported?.code ?? text, {
    code,
    reason,
    rawCode: reported?.code,
    retryAfterMs: demandedPauseMs(response),
    cause,
  });
}

/** The conclusion from the response to a failed call. */
type Finding = Pick<ExchangeError, 'kind' | 'code' | 'reason'>;

function findingOf(errorMap: ErrorMap, response: HttpResponse, reported: ReportedError | undefined): Finding {
  const meaning = reported === undefined ? null : meaningOf(errorMap, reported);
  const listed = meaning ?? blockPageMeaning(response);
  const isBan = response.limitsReached?.some(({ shownBy }) => shownBy === 'ban') === true;
  if (listed !== null) {
    const { code, reason } = listed;
    const kind = kindOf(listed);
    return { kind, code, reason: kind === 'rate_limited' && isBan ? 'banned' : reason };
  }
  if (isPause(response)) return { kind: 'rate_limited', reason: isBan ? 'banned' : undefined };
  if (response.status >= 500) return { kind: 'unavailable', reason: maintenanceIn(errorMap, response) };
  return { kind: 'unavailable', reason: reported === undefined ? undefined : UNLISTED };
}

/** Whether the status or a declared limit shows that calls have to wait. */
function isPause({ status, limitsReached = [] }: HttpResponse): boolean {
  return status === 429 || status === 418 || limitsReached.some(({ shownBy }) => shownBy !== 'header');
}

/**
 * Whether a 5xx response announces maintenance. A failing gateway may send any body, even the refusal of another
 * request, so nothing else is concluded from a 5xx response.
 */
function maintenanceIn(errorMap: ErrorMap, { body }: HttpResponse): string | undefined {
  const errors = errorMap.errorsIn(parseBody(body));
  const isListed = errors.some((each) => meaningOf(errorMap, each)?.reason === MAINTENANCE);
  return isListed || /\bmaintenance\b/i.test(body) ? MAINTENANCE : undefined;
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
