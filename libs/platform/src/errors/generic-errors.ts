import { DomainError, type ErrorOptions } from './domain-error.js';

/** A database that restarts is back after some seconds. */
const RETRY_SECONDS = 2;

/** One field of a request and what is wrong with it. */
export interface InvalidField {
  field: string;
  message: string;
}

/** A parameter, header or body field has the wrong form. The message names every field. */
export class ValidationFailed extends DomainError {
  constructor(
    fields: InvalidField[],
    details: { result?: Record<string, unknown>; supportedExchanges?: string[] } = {},
  ) {
    super('GENERIC_VALIDATION_ERROR', `Invalid request: ${fields.map((f) => f.message).join('; ')}`, {
      details: { ...details, result: { ...details.result, fields } },
    });
  }
}

/** Well formed but not servable as it stands; `status` says which kind (400, 409 conflict, 422 other payload). */
export class InvalidRequest extends DomainError {
  constructor(message: string, options: ErrorOptions = {}) {
    super('GENERIC_INVALID_REQUEST', message, options);
  }
}

/** What the path or the query names does not exist; the message says what. */
export class NotFound extends DomainError {
  constructor(what: string) {
    super('GENERIC_NOT_FOUND', `${what} not found`);
  }
}

/** One and the same for every way in which credentials can be missing, wrong, or of another tenant. */
export class Unauthorized extends DomainError {
  constructor() {
    super('GENERIC_UNAUTHORIZED', 'Invalid or missing API credentials');
  }
}

export class RateLimitExceeded extends DomainError {
  constructor(retryAfterSeconds: number, cause?: unknown, message = 'Too many requests') {
    super('GENERIC_RATE_LIMIT_EXCEEDED', message, { retryAfterSeconds, cause });
  }
}

/** The shape of the request is beyond a limit (body size, JSON syntax or depth, media type). */
export class UnreadableBody extends DomainError {
  constructor(message: string) {
    super('GENERIC_VALIDATION_ERROR', message, { details: { result: { fields: [{ field: 'body', message }] } } });
  }
}

/** An unexpected fault: the caller learns the request id and nothing else. */
export class InternalError extends DomainError {
  constructor(cause: unknown) {
    super('GENERIC_INTERNAL_SERVER_ERROR', 'Internal server error', { cause });
  }
}

/** More is asked than this process can do. Nothing of the request was begun, or it only read. */
export class Overloaded extends DomainError {
  constructor() {
    super('GENERIC_INTERNAL_SERVER_ERROR', 'The service is busy; send the request again', {
      status: 503,
      retryAfterSeconds: 1,
    });
  }
}

/** The database or the queue does not answer. */
export class Unavailable extends DomainError {
  constructor(cause: unknown) {
    super('GENERIC_INTERNAL_SERVER_ERROR', 'The service cannot reach its database; send the request again', {
      status: 503,
      retryAfterSeconds: RETRY_SECONDS,
      cause,
    });
  }
}

/** This process has been told to stop; another one, or the next, serves the request. Nothing of it was begun. */
export class Stopping extends DomainError {
  constructor() {
    super('GENERIC_INTERNAL_SERVER_ERROR', 'The service is stopping; send the request again', {
      status: 503,
      retryAfterSeconds: 1,
    });
  }
}
