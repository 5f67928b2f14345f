import { DomainError, type ErrorDetails, type ErrorOptions } from './domain-error.js';

/** `Retry-After` while the database is unreachable: a restart of the database takes a few seconds. */
const RETRY_SECONDS = 2;

/** A field of a request that is not valid, and the reason. */
export interface InvalidField {
  field: string;
  message: string;
}

/** A parameter, header or body field has the wrong form. The message names every field. */
export class ValidationFailed extends DomainError {
  constructor(
    fields: InvalidField[],
    { result, supportedExchanges }: Pick<ErrorDetails, 'result' | 'supportedExchanges'> = {},
  ) {
    super('GENERIC_VALIDATION_ERROR', `Invalid request: ${fields.map((f) => f.message).join('; ')}`, {
      supportedExchanges,
      result: { ...result, fields },
    });
  }
}

/**
 * The request is well formed but cannot be served. `status` is 400 by default, and 422 for another payload with the
 * same quote or idempotency key.
 */
export class InvalidRequest extends DomainError {
  constructor(message: string, options: ErrorOptions = {}) {
    super('GENERIC_INVALID_REQUEST', message, options);
  }
}

/** The request conflicts with an operation in progress or with the present state. */
export class Conflict extends InvalidRequest {
  constructor(message: string, options: Omit<ErrorOptions, 'status'> = {}) {
    super(message, { ...options, status: 409 });
  }
}

/** The object that the request names does not exist. */
export class NotFound extends DomainError {
  constructor(what: string) {
    super('GENERIC_NOT_FOUND', `${what} not found`);
  }
}

/** Credentials are missing, wrong or of another tenant. The response is the same for all of these. */
export class Unauthorized extends DomainError {
  constructor(message = 'Invalid or missing API credentials') {
    super('GENERIC_UNAUTHORIZED', message);
  }
}

export class RateLimitExceeded extends DomainError {
  constructor(retryAfterSeconds: number, cause?: unknown, message = 'Too many requests') {
    super('GENERIC_RATE_LIMIT_EXCEEDED', message, { retryAfterSeconds, cause });
  }
}

/** The body cannot be read: its size, JSON syntax, depth or media type is not accepted. */
export class UnreadableBody extends DomainError {
  constructor(message: string) {
    super('GENERIC_VALIDATION_ERROR', message, { result: { fields: [{ field: 'body', message }] } });
  }
}

/** An unexpected fault. The response contains the request id and no detail. */
export class InternalError extends DomainError {
  constructor(cause: unknown) {
    super('GENERIC_INTERNAL_SERVER_ERROR', 'Internal server error', { cause });
  }
}

/** The process has more requests than it can serve. The request was not begun, or has only read data. */
export class Overloaded extends DomainError {
  constructor() {
    super('GENERIC_INTERNAL_SERVER_ERROR', 'The service is busy; send the request again', {
      status: 503,
      retryAfterSeconds: 1,
    });
  }
}

/** The database or the queue cannot be reached. */
export class Unavailable extends DomainError {
  constructor(cause: unknown) {
    super(
      'GENERIC_INTERNAL_SERVER_ERROR',
      'The service cannot reach its database or its queue; send the request again',
      {
        status: 503,
        retryAfterSeconds: RETRY_SECONDS,
        cause,
      },
    );
  }
}

/** The process is stopping. The request was not begun; another process can serve it. */
export class Stopping extends DomainError {
  constructor() {
    super('GENERIC_INTERNAL_SERVER_ERROR', 'The service is stopping; send the request again', {
      status: 503,
      retryAfterSeconds: 1,
    });
  }
}
