import { errorCodes, type ErrorCode } from './error-codes.js';

/** Members of an error body beside `error` and `type`; all of it is shown to the caller. */
export interface ErrorDetails {
  result?: Record<string, unknown>;
  missing?: string[];
  supportedExchanges?: string[];
}

export interface ErrorOptions {
  details?: ErrorDetails;
  /** For codes with more than one status (GENERIC_INVALID_REQUEST: 400, 409, 422; a stopping process: 503). */
  status?: 400 | 409 | 422 | 503;
  /** Sent as `Retry-After`. */
  retryAfterSeconds?: number;
  /** For the log only; never shown. */
  cause?: unknown;
}

/** 429 and 503 always say when to come back; where nobody knows better, soon. */
const RETRY_AFTER_SECONDS = 1;

/**
 * A refusal that the caller is told of. Features derive one class per code; `HttpErrorFilter` turns it into the answer.
 * `message` and `details` are public: no secrets, no internals.
 */
export class DomainError extends Error {
  readonly details: ErrorDetails;
  readonly status: number;
  readonly retryAfterSeconds?: number;

  constructor(
    readonly code: ErrorCode,
    message: string,
    options: ErrorOptions = {},
  ) {
    super(message, { cause: options.cause });
    this.name = new.target.name;
    this.details = options.details ?? {};
    this.status = options.status ?? errorCodes[code].status;
    const saysWhen = this.status === 429 || this.status === 503;
    this.retryAfterSeconds = options.retryAfterSeconds ?? (saysWhen ? RETRY_AFTER_SECONDS : undefined);
  }
}
