import type { ErrorCode } from '#platform/errors';
import type { NotSent, Rejected } from '../port/submission-outcome.js';
import {
  isDefinite,
  kindOf,
  mayRefuseWith,
  meaningOf,
  provesNothing,
  type DefiniteMeaning,
  type ErrorMap,
} from '../transport/error-map.js';
import { parseKeepingDigits } from '../transport/exact-json.js';
import { demandedPauseMs } from '../transport/pauses.js';
import type { HttpResponse } from '../transport/transport.js';

/** Maximum number of characters kept of a response that is not JSON, for the operator who examines it. */
const TEXT_KEPT = 2_000;

/** How an exchange accepts a submission. */
export interface Acceptance<Receipt> {
  readonly statuses: readonly number[];
  /** Reads the exchange's id of the accepted withdrawal, or the `OrderReceipt`; null = the body contains no id. */
  readonly readId: (body: unknown) => Receipt | null;
}

/** A definite refusal: nothing was executed. */
export interface Refused {
  readonly kind: 'refused';
  readonly meaning: DefiniteMeaning;
  readonly rawCode: string;
  /** The milliseconds after which the exchange allows the call again; absent = it demands no pause. */
  readonly retryAfterMs?: number;
  readonly answer: Record<string, unknown>;
}

/** The evidence in a response to a submission. */
export type ResponseEvidence<Receipt> =
  | { kind: 'accepted'; receipt: Receipt; answer: Record<string, unknown> }
  | Refused
  | { kind: 'unknown'; reason: string; answer: Record<string, unknown> };

/** The evidence of one submission. No response proves `not_sent`: only the fact that no byte was written does. */
export type Evidence<Receipt> = ResponseEvidence<Receipt> | NotSent;

/** One kind of call that moves money: how an exchange accepts it, and how its evidence becomes an outcome. */
export interface Submission<Receipt, Outcome> {
  readonly acceptance: Acceptance<Receipt>;
  readonly toOutcome: (evidence: Evidence<Receipt>) => Outcome;
}

/**
 * Interprets the response to a submission. `accepted` requires the exchange's id. `refused` requires that all errors
 * are definite refusals. Everything else is `unknown`, also a used nonce, an expired timestamp and every 5xx.
 */
export function evidenceOf<Receipt>(
  errorMap: ErrorMap,
  acceptance: Acceptance<Receipt>,
  response: HttpResponse,
): ResponseEvidence<Receipt> {
  const body = parseKeepingDigits(response.body);
  const kept = { status: response.status, body: body ?? response.body.slice(0, TEXT_KEPT) };
  if (provesNothing(response.status)) return { kind: 'unknown', reason: `HTTP ${response.status}`, answer: kept };
  const errors = errorMap.errorsIn(body);
  const receipt = acceptance.readId(body);
  if (receipt !== null) {
    return errors.length === 0 && acceptance.statuses.includes(response.status)
      ? { kind: 'accepted', receipt, answer: kept }
      : { kind: 'unknown', reason: 'the response has both an id and an error', answer: kept };
  }
  if (!mayRefuseWith(response.status, errorMap))
    return { kind: 'unknown', reason: `HTTP ${response.status}`, answer: kept };
  const rawCode = errors[0]?.code;
  if (rawCode === undefined)
    return { kind: 'unknown', reason: 'the response has neither an id nor an error', answer: kept };
  const unlisted = errors.find((each) => meaningOf(errorMap, each) === null);
  if (unlisted !== undefined) return { kind: 'unknown', reason: `unlisted error ${unlisted.code}`, answer: kept };
  const meanings = errors.map((each) => meaningOf(errorMap, each)).filter((meaning) => meaning !== null);
  const [meaning] = meanings.filter(isDefinite);
  return meaning !== undefined && meanings.every(isDefinite)
    ? { kind: 'refused', meaning, rawCode, retryAfterMs: demandedPauseMs(response), answer: kept }
    : { kind: 'unknown', reason: rawCode, answer: kept };
}

/** The operation's error codes for refusals that have no specific code. */
export interface RefusalCodes {
  readonly rateLimited: ErrorCode;
  readonly otherwise: ErrorCode;
}

export function rejectionOf({ meaning, rawCode, retryAfterMs, answer }: Refused, codes: RefusalCodes): Rejected {
  const { grade, code, reason } = meaning;
  switch (grade) {
    case 'credentials':
      return { kind: 'rejected', code: 'WALLET_INVALID_CREDENTIALS', rawCode, answer };
    case 'pause':
      return { kind: 'rejected', code: codes.rateLimited, rawCode, retryAfterMs, answer };
    case 'permission':
    case 'ip_not_allowed':
    case 'blocked':
      return { kind: 'rejected', code: codes.otherwise, rawCode, reason: kindOf(meaning), answer };
    case 'refused':
      return { kind: 'rejected', code: code ?? codes.otherwise, rawCode, reason, answer };
  }
}
