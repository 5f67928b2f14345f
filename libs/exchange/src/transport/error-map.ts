import type { ErrorCode } from '#platform/errors';
import type { ExchangeErrorKind } from '../port/exchange-error.js';
import type { HttpResponse } from './transport.js';

/** The meaning of one of an exchange's error codes. */
export interface ErrorMeaning {
  readonly kind: ExchangeErrorKind;
  /** For `refused`: the error code of our API; absent = a refusal without a specific code. */
  readonly code?: ErrorCode;
  readonly reason?: string;
  /** For reads: the exchange checked only the nonce, so the read may be sent again with a new nonce. */
  readonly retryable?: true;
  /**
   * The exchange may return this code before it checks whether it knows the request. On a submission it proves nothing:
   * an earlier copy of the same request may have been executed.
   */
  readonly beforeRepeatCheck?: true;
}

/** A refusal that proves that nothing was executed. */
export type DefiniteMeaning = ErrorMeaning & {
  readonly kind: Exclude<ExchangeErrorKind, 'unavailable'>;
  readonly beforeRepeatCheck?: undefined;
};

export function isDefinite(meaning: ErrorMeaning): meaning is DefiniteMeaning {
  return meaning.kind !== 'unavailable' && meaning.beforeRepeatCheck === undefined;
}

/**
 * The error codes of an exchange and their meanings. A code that is not listed proves nothing.
 *
 * A listed code is a definite refusal of a submission (nothing was executed) unless its kind is `unavailable` or it has
 * `beforeRepeatCheck`. The network can deliver one request twice: the exchange executes the first copy, its response is
 * lost, and we read the refusal of the second copy. A code may therefore be definite only if it is true of every copy
 * of the request:
 *
 * - The exchange rejects repeats (a used nonce, a known reference) before it can return this code. Then the second copy
 *   gets the rejection of the repeat, which is never definite. "Insufficient funds", which an executed first copy can
 *   cause, is definite only for this reason.
 * - Or the code follows from the bytes of the request and from permanent settings (signature, arguments, permission).
 *
 * A code that follows from the exchange's own condition (rate limits, lockouts, load, keys that it does not find during
 * an outage) can differ from copy to copy. An exchange that does not reject repeats first has definite refusals of the
 * second kind only.
 */
export interface ErrorMap {
  /** Returns the error codes in a parsed body; empty = the body is not an error. */
  readonly codesIn: (body: unknown) => string[];
  /**
   * Whether the exchange itself refuses with this HTTP status. With another status a code proves nothing: a proxy in
   * between may have responded after it forwarded the request.
   */
  readonly refusesWith: (status: number) => boolean;
  /** By code. A code that continues after a colon has the meaning of its listed beginning. */
  readonly meanings: Readonly<Record<string, ErrorMeaning>>;
}

export function meaningOf(errorMap: ErrorMap, code: string): ErrorMeaning | null {
  for (let known = code; known !== ''; known = known.slice(0, Math.max(0, known.lastIndexOf(':')))) {
    if (Object.hasOwn(errorMap.meanings, known)) return errorMap.meanings[known] ?? null;
  }
  return null;
}

/** The codes with which the exchange itself refused; empty = it did not refuse. */
export function refusalsIn(errorMap: ErrorMap, { status, body }: HttpResponse): string[] {
  return errorMap.refusesWith(status) ? errorMap.codesIn(parseBody(body)) : [];
}

/** Parses a body as JSON; undefined = it is not JSON. */
export function parseBody(body: string): unknown {
  try {
    return JSON.parse(body) as unknown;
  } catch {
    return undefined;
  }
}
