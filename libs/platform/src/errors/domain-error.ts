import { errorCodes, type ErrorCode } from './error-codes.js';
import { isLastingRefusal } from './lasting-reasons.js';

/** Further members of an error body. The caller sees all of them. */
export interface ErrorDetails {
  result?: Record<string, unknown>;
  missing?: string[];
  supportedExchanges?: string[];
}

export interface ErrorOptions extends ErrorDetails {
  /**
   * Overrides the status of a code that has several: GENERIC_INVALID_REQUEST 403, 409 and 422,
   * GENERIC_INTERNAL_SERVER_ERROR 503. A lasting refusal of an exchange (`LASTING_REASONS`) has 422 by itself.
   */
  status?: 400 | 403 | 409 | 422 | 503;
  /** Sent as `Retry-After`. */
  retryAfterSeconds?: number;
  /** For the log only; never shown. */
  cause?: unknown;
}

/** `Retry-After` of 429 and 503 responses whose thrower gives no other time. */
const RETRY_AFTER_SECONDS = 1;

/**
 * An error with a code of the registry, which is returned to the caller. Features derive one class for each code, and
 * `HttpErrorFilter` turns it into the response. `message` and `details` are public: no secrets, no internals.
 */
export class DomainError extends Error {
  readonly details: ErrorDetails;
  readonly status: number;
  readonly retryAfterSeconds?: number;

  constructor(
    readonly code: ErrorCode,
    message: string,
    { result, missing, supportedExchanges, status, retryAfterSeconds, cause }: ErrorOptions = {},
  ) {
    super(message, { cause });
    this.name = new.target.name;
    this.details = { result, missing, supportedExchanges };
    this.status = status ?? (isLastingRefusal(code, result?.['reason']) ? 422 : errorCodes[code].status);
    const isTemporary = this.status === 429 || this.status === 503;
    this.retryAfterSeconds = retryAfterSeconds ?? (isTemporary ? RETRY_AFTER_SECONDS : undefined);
  }
}
