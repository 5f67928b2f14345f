import type { ErrorCode } from '#platform/errors';
import type { ExchangeErrorKind } from './exchange-error.js';
import type { HttpAnswer } from './transport.js';

/** What one of an exchange's own error codes says. */
export interface ErrorMeaning {
  readonly kind: ExchangeErrorKind;
  /** For `refused`: the code of the interface; without one it is a refusal "for another reason". */
  readonly code?: ErrorCode;
  readonly reason?: string;
  /** The exchange looked at nothing but the call's number or time: the same call may go again with a new one. */
  readonly again?: true;
}

/** What a code says of which the exchange is certain: nothing was done. */
export type DefiniteMeaning = ErrorMeaning & { readonly kind: Exclude<ExchangeErrorKind, 'unavailable'> };

export function isDefinite(meaning: ErrorMeaning): meaning is DefiniteMeaning {
  return meaning.kind !== 'unavailable';
}

/**
 * How an exchange says no. Being listed here with any kind but `unavailable` makes a code definite: nothing was done.
 * What is not listed proves nothing.
 */
export interface ErrorDialect {
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

export function meaningOf(dialect: ErrorDialect, code: string): ErrorMeaning | null {
  for (let known = code; known !== ''; known = known.slice(0, Math.max(0, known.lastIndexOf(':')))) {
    if (Object.hasOwn(dialect.meanings, known)) return dialect.meanings[known] ?? null;
  }
  return null;
}

/** The codes with which the exchange itself has refused; empty = it has not. */
export function refusalsIn(dialect: ErrorDialect, { status, body }: HttpAnswer): string[] {
  return dialect.refusesWith(status) ? dialect.codesIn(parseBody(body)) : [];
}

/** A body as JSON; undefined when it is none. */
export function parseBody(body: string): unknown {
  try {
    return JSON.parse(body) as unknown;
  } catch {
    return undefined;
  }
}
