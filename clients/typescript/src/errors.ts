import type { ErrorBodies } from './generated/types.js';

/** Errors that the client itself finds, with their `result`. */
interface ClientErrors {
  /** No complete response arrived. It is not known whether the service has processed the request. */
  CLIENT_NO_RESPONSE: { result?: undefined };
  /** The response did not come from the service; a proxy may have made it. `status` is the status of the response. */
  CLIENT_UNEXPECTED_RESPONSE: { result?: undefined };
  /** It is not known yet whether the quote is being paid. Run the same quote again; a new quote could pay twice. */
  CLIENT_OUTCOME_UNKNOWN: { result: { quoteId: string } };
}

type Bodies = ErrorBodies & ClientErrors;

export type ErrorCode = keyof Bodies;

type ResultOf<Code extends ErrorCode> = Bodies[Code] extends { result: infer Result }
  ? Result
  : Bodies[Code] extends { result?: infer Result }
    ? Result | undefined
    : undefined;

interface Facts<Code extends ErrorCode> {
  code: Code;
  message: string;
  status?: number | null;
  result?: ResultOf<Code>;
  requestId?: string | null;
  retryAfterMs?: number | null;
  missing?: string[];
  supportedExchanges?: string[];
  cause?: unknown;
}

/**
 * Every error of the service and of the client. `code` decides which one it is, and the type of `result` follows:
 *
 *     if (isCausewayError(error, 'GENERIC_VALIDATION_ERROR')) showFields(error.result?.fields);
 */
export class CausewayError<Code extends ErrorCode = ErrorCode> extends Error {
  override readonly name = 'CausewayError';
  readonly code: Code;
  /** The HTTP status; null without a response. */
  readonly status: number | null;
  /** The details of this code. */
  readonly result: ResultOf<Code>;
  /** The id of the request; it leads to the log lines of the service. */
  readonly requestId: string | null;
  /** How long the service asks to wait before a repeat; null = it names no time. */
  readonly retryAfterMs: number | null;
  /** The scopes that the API key lacks, with `APIKEY_INSUFFICIENT_PERMISSIONS`. */
  readonly missing: string[];
  /** The exchanges that are supported, where the request names another one. */
  readonly supportedExchanges: string[];

  constructor(facts: Facts<Code>) {
    super(facts.message, { cause: facts.cause });
    this.code = facts.code;
    this.status = facts.status ?? null;
    this.result = facts.result as ResultOf<Code>;
    this.requestId = facts.requestId ?? null;
    this.retryAfterMs = facts.retryAfterMs ?? null;
    this.missing = facts.missing ?? [];
    this.supportedExchanges = facts.supportedExchanges ?? [];
  }
}

/** An error of any code; `switch (error.code)` narrows the type of `result`. */
export type AnyCausewayError = { [Code in ErrorCode]: CausewayError<Code> }[ErrorCode];

/** Returns whether a value is an error of this client, with one of the codes when codes are given. */
export function isCausewayError(error: unknown): error is AnyCausewayError;
export function isCausewayError<Code extends ErrorCode>(
  error: unknown,
  ...codes: Code[]
): error is { [Each in Code]: CausewayError<Each> }[Code];
export function isCausewayError(error: unknown, ...codes: ErrorCode[]): boolean {
  return error instanceof CausewayError && (codes.length === 0 || codes.includes(error.code as ErrorCode));
}

/** The form of every error response; `type` may be a code of a later release. */
interface ErrorBody {
  type?: string;
  error?: string;
  requestId?: string;
  result?: object;
  missing?: string[];
  supportedExchanges?: string[];
}

/** Makes the error of a response with a status of 400 or more. */
export function errorOfResponse(response: Response, text: string): CausewayError {
  const body = parsed(text);
  const retryAfter = Number(response.headers.get('retry-after') ?? NaN);
  const facts = {
    status: response.status,
    requestId: body.requestId ?? response.headers.get('x-request-id'),
    retryAfterMs: retryAfter >= 0 ? retryAfter * 1000 : null,
  };
  if (typeof body.type !== 'string' || typeof body.error !== 'string') {
    const message = `The response has the status ${response.status} and did not come from the service`;
    return new CausewayError({ ...facts, code: 'CLIENT_UNEXPECTED_RESPONSE', message });
  }
  return new CausewayError({
    ...facts,
    code: body.type as ErrorCode,
    message: body.error,
    result: body.result as ResultOf<ErrorCode>,
    missing: body.missing,
    supportedExchanges: body.supportedExchanges,
  });
}

function parsed(text: string): ErrorBody {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    return {};
  }
}
