import type { ErrorCode } from '#platform/errors';
import type { ExchangeErrorKind } from '../port/exchange-error.js';
import { withoutByteOrderMark } from './exact-json.js';
import type { HttpResponse } from './transport.js';

/**
 * The grade of an error is the conclusion that it allows.
 * - `refused`: nothing was executed. This is true of every copy of the request that the network may deliver.
 * - `refused_if_new`: nothing was executed by this copy of the request. An earlier copy may have been executed.
 * - `credentials`: the key or token is invalid, revoked or expired. Causeway may flag the wallet.
 * - `permission`: the key is valid and lacks a permission.
 * - `ip_not_allowed`: the key is valid and may not be used from our address.
 * - `blocked`: the exchange refuses every call from our address, or from our country. The reason names which.
 * - `pause`: too many calls; the same call may succeed later.
 * - `unknown`: the error does not show whether the request was executed. Examples are a fault of the exchange, a used
 *   nonce, an expired timestamp and a duplicate.
 */
export type ErrorGrade =
  'refused' | 'refused_if_new' | 'credentials' | 'permission' | 'ip_not_allowed' | 'blocked' | 'pause' | 'unknown';

/** The meaning of one of an exchange's errors. */
export interface ErrorMeaning {
  readonly grade: ErrorGrade;
  /** For `refused` and `refused_if_new`: the error code of our API; absent = a refusal without a specific code. */
  readonly code?: ErrorCode;
  readonly reason?: string;
  /** For reads: the exchange refused the read only because of its nonce, so it may be sent again with a new nonce. */
  readonly retryable?: true;
  /**
   * For `credentials`, `permission`, `ip_not_allowed`, `blocked` and `pause`: whether the error is a definite refusal
   * of a submission, as `refused` is. Absent = the error proves nothing about a submission.
   */
  readonly forEveryCopy?: true;
}

/** The meanings of an error code that the exchange uses for several errors. The message distinguishes them. */
export interface MeaningsByMessage {
  /** The first entry of which the message contains `includes`, in upper or lower case, gives the meaning. */
  readonly byMessage: readonly { readonly includes: string; readonly meaning: ErrorMeaning }[];
  /** The meaning of all other messages; absent = they do not show whether the request was executed. */
  readonly otherwise?: ErrorMeaning;
}

/** An error as the exchange reports it. */
export interface ReportedError {
  readonly code: string;
  /** The exchange's text beside the code; absent = the exchange sends none. */
  readonly message?: string;
}

/** A refusal that proves that nothing was executed. */
export type DefiniteMeaning = ErrorMeaning & { readonly grade: Exclude<ErrorGrade, 'refused_if_new' | 'unknown'> };

export function isDefinite(meaning: ErrorMeaning): meaning is DefiniteMeaning {
  if (meaning.grade === 'refused_if_new' || meaning.grade === 'unknown') return false;
  return meaning.grade === 'refused' || meaning.forEveryCopy === true;
}

/**
 * The errors of an exchange and their meanings. An error that is not listed does not show whether the request was
 * executed.
 *
 * The network can deliver one request twice: the exchange executes the first copy, its response is lost, and we read
 * the refusal of the second copy. An error may therefore be a definite refusal (`isDefinite`) only if it is true of
 * every copy of the request:
 *
 * - The exchange rejects repeats (a used nonce, a known reference) before it can return this error. Then the second
 *   copy gets the rejection of the repeat, which is never definite. "Insufficient funds", which an executed first copy
 *   can cause, is definite only for this reason. At an exchange that does not reject repeats first, it is
 *   `refused_if_new`.
 * - Or the error follows from the bytes of the request and from permanent settings (signature, arguments, permission).
 *
 * An error that follows from the exchange's own condition (rate limits, lockouts, load, keys that it does not find
 * during an outage) can differ from copy to copy.
 */
export interface ErrorMap {
  /** Returns the errors in a parsed body; empty = the body is not an error. */
  readonly errorsIn: (body: unknown) => ReportedError[];
  /** Returns the warnings in a parsed body, which refuse nothing; absent = the exchange sends none. */
  readonly warningsIn?: (body: unknown) => string[];
  /**
   * Whether the exchange refuses only with a 4xx status: an error with another status then proves nothing. Absent = it
   * refuses with other statuses, too, such as 200. No 5xx counts as a refusal (`provesNothing`).
   */
  readonly refusesOnlyWith4xx?: true;
  /** The meanings by error code. */
  readonly meanings: Readonly<Record<string, ErrorMeaning | MeaningsByMessage>>;
  /**
   * Removes a variable end from a code, such as `_1000` from `51008_1000`; null = the code has no such end. `meaningOf`
   * shortens a reported code until `meanings` lists the rest. Absent = the reported code itself must be listed.
   */
  readonly shorterCode?: (code: string) => string | null;
}

/** For requests of which the status or the body alone shows a failure: the exchange’s error codes are not read. */
export const NO_CODES: ErrorMap = { errorsIn: () => [], meanings: {} };

/**
 * Whether a response with this status proves nothing about its request, whatever its body is. A gateway before the
 * exchange may have sent a 5xx after it forwarded the request. This holds at every exchange; no declaration changes it.
 */
export function provesNothing(status: number): boolean {
  return status >= 500;
}

/** Whether the exchange itself may refuse with this HTTP status. */
export function mayRefuseWith(status: number, { refusesOnlyWith4xx }: ErrorMap): boolean {
  return !provesNothing(status) && (status >= 400 || refusesOnlyWith4xx !== true);
}

/** The meaning of a reported error; null = it is not listed. */
export function meaningOf(errorMap: ErrorMap, { code, message }: ReportedError): ErrorMeaning | null {
  for (let known: string | null = code; known !== null; known = errorMap.shorterCode?.(known) ?? null) {
    const listed = Object.hasOwn(errorMap.meanings, known) ? errorMap.meanings[known] : undefined;
    if (listed !== undefined) return 'byMessage' in listed ? meaningByMessage(listed, message) : listed;
  }
  return null;
}

function meaningByMessage({ byMessage, otherwise }: MeaningsByMessage, message = ''): ErrorMeaning | null {
  const text = message.toLowerCase();
  const found = byMessage.find(({ includes }) => text.includes(includes.toLowerCase()));
  return found?.meaning ?? otherwise ?? null;
}

const KINDS: Readonly<Record<ErrorGrade, ExchangeErrorKind>> = {
  refused: 'refused',
  refused_if_new: 'refused',
  credentials: 'credentials_invalid',
  permission: 'permission_missing',
  ip_not_allowed: 'ip_not_allowed',
  blocked: 'access_blocked',
  pause: 'rate_limited',
  unknown: 'unavailable',
};

/** The kind of error with which a read fails when the exchange reports an error with this meaning. */
export function kindOf({ grade }: ErrorMeaning): ExchangeErrorKind {
  return KINDS[grade];
}

/** The errors with which the exchange itself refused; empty = it did not refuse. */
export function refusalsIn(
  errorMap: ErrorMap,
  { status, body }: Pick<HttpResponse, 'status' | 'body'>,
): ReportedError[] {
  return mayRefuseWith(status, errorMap) ? errorMap.errorsIn(parseBody(body)) : [];
}

/** Parses a body as JSON; undefined = it is not JSON. */
export function parseBody(body: string): unknown {
  try {
    return JSON.parse(withoutByteOrderMark(body)) as unknown;
  } catch {
    return undefined;
  }
}
