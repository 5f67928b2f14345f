import type { ErrorCode } from '#platform/errors';
import type { ExchangeErrorKind } from '../port/exchange-error.js';
import type { HttpResponse } from './transport.js';

/** What one of an exchange's own error codes says. */
export interface ErrorMeaning {
  readonly kind: ExchangeErrorKind;
  /** For `refused`: the code of the interface; without one it is a refusal "for another reason". */
  readonly code?: ErrorCode;
  readonly reason?: string;
  /** Only of reads: the exchange compared nothing but the call's nonce, so the read may go again with a new one. */
  readonly again?: true;
  /**
   * The exchange may say this before it checks whether it has seen the request. On a submission it proves nothing: an
   * earlier copy of the same request may have been executed.
   */
  readonly beforeRepeatCheck?: true;
}

/** A refusal that proves that nothing was done. */
export type DefiniteMeaning = ErrorMeaning & {
  readonly kind: Exclude<ExchangeErrorKind, 'unavailable'>;
  readonly beforeRepeatCheck?: undefined;
};

export function isDefinite(meaning: ErrorMeaning): meaning is DefiniteMeaning {
  return meaning.kind !== 'unavailable' && meaning.beforeRepeatCheck === undefined;
}

/**
 * How an exchange says no. What is not listed proves nothing.
 *
 * A listed code is a definite refusal of a submission (nothing was done) unless its kind is `unavailable` or it has
 * `beforeRepeatCheck`. Between us and what executes, one request can be delivered twice: the first copy is executed and
 * its response is lost, and the refusal that we read answers the second copy. So a code may only count as definite when
 * it says the same about every copy of the request:
 *
 * - the exchange refuses repeats (a used nonce, a known reference) before it can say this code. Then a second copy gets
 *   the refusal of the repeat, which is never definite; "insufficient funds", which an executed first copy can cause,
 *   is definite only for this reason;
 * - or the code follows from the bytes of the request and from settings that stay (signature, arguments, permission).
 *
 * What follows from the exchange's own condition (limits of calls, lockouts, load, keys that it does not find during an
 * outage) can differ from copy to copy. An exchange that does not refuse repeats first has definite refusals of the
 * second sort only.
 */
export interface ErrorMap {
  /** The error codes in a parsed body; empty = the body is no error. */
  readonly codesIn: (body: unknown) => string[];
  /**
   * Whether the exchange itself says no with this HTTP status. With any other one a code proves nothing: what is between
   * us and what executes may answer, too, also after the request has passed.
   */
  readonly refusesWith: (status: number) => boolean;
  /** By code; a code with a longer tail after a colon counts as its listed beginning. */
  readonly meanings: Readonly<Record<string, ErrorMeaning>>;
}

export function meaningOf(errorMap: ErrorMap, code: string): ErrorMeaning | null {
  for (let known = code; known !== ''; known = known.slice(0, Math.max(0, known.lastIndexOf(':')))) {
    if (Object.hasOwn(errorMap.meanings, known)) return errorMap.meanings[known] ?? null;
  }
  return null;
}

/** The codes with which the exchange itself has refused; empty = it has not. */
export function refusalsIn(errorMap: ErrorMap, { status, body }: HttpResponse): string[] {
  return errorMap.refusesWith(status) ? errorMap.codesIn(parseBody(body)) : [];
}

/** A body as JSON; undefined when it is none. */
export function parseBody(body: string): unknown {
  try {
    return JSON.parse(body) as unknown;
  } catch {
    return undefined;
  }
}
