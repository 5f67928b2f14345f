import type { AuthorizationError, AuthorizationFailure } from '#exchange';
import { Conflict, DomainError } from '#platform/errors';
import { CANCELLED, DENIED, type SessionError } from './connect-view.js';

/** The exchange or the person denied the access, or the attempt timed out. */
export class AuthorizationFailed extends DomainError {
  constructor(message: string, options: { cause?: unknown; result?: Record<string, unknown> } = {}) {
    super('OAUTH_AUTHORIZATION_FAILED', message, options);
  }
}

/** The person has ended the connect on our page. */
export class ConnectCancelled extends AuthorizationFailed {
  constructor() {
    super('The person has cancelled the connect session', { result: { reason: CANCELLED } });
  }
}

/** The person has refused the access at the exchange. */
export class AccessDenied extends AuthorizationFailed {
  constructor(exchange: string, cause?: unknown) {
    super(`The person has denied the access at ${exchange}`, { cause, result: { reason: DENIED } });
  }
}

/** The person has authorized the access, but the exchange gave no credentials for it or did not respond. */
export class TokenExchangeFailed extends DomainError {
  constructor(exchange: string, cause?: unknown) {
    super('OAUTH_TOKEN_EXCHANGE_FAILED', `${exchange} did not give access to the account. Try again in a moment`, {
      cause,
    });
  }
}

/** The callback belongs to no attempt that this browser has begun, or another browser owns the session. */
export class InvalidState extends DomainError {
  constructor(
    message = 'This response of the exchange belongs to no attempt that this browser has begun. Begin again',
    cause?: unknown,
  ) {
    super('OAUTH_INVALID_STATE', message, { cause });
  }
}

/** A page of another site has submitted a form in this browser. */
export class ForeignRequest extends InvalidState {
  constructor() {
    super('A page of another site sent this request; use the form of the connect page');
  }
}

export class InsufficientScope extends DomainError {
  constructor(exchange: string, cause?: unknown) {
    super(
      'OAUTH_INSUFFICIENT_SCOPE',
      `${exchange} granted less access than was requested. Try again and allow everything that is listed`,
      { cause },
    );
  }
}

export class QrCodeUnavailable extends DomainError {
  constructor(exchange: string, cause?: unknown) {
    super(
      'OAUTH_QR_CODE_UNAVAILABLE',
      `${exchange} gives no QR code now. Try again in a moment, or use another connect method`,
      { cause },
    );
  }
}

export class CountryCodeInvalid extends DomainError {
  constructor() {
    super('OAUTH_COUNTRY_CODE_INVALID', 'country must be an ISO 3166-1 alpha-2 code, such as DE');
  }
}

export class CountryNotDetected extends DomainError {
  constructor(exchange: string) {
    super(
      'OAUTH_COUNTRY_NOT_DETECTED',
      `${exchange} is not offered in every country; send the owner's country in the parameter country`,
    );
  }
}

export class CountryNotSupported extends DomainError {
  constructor(exchange: string, country: string) {
    super('OAUTH_COUNTRY_NOT_SUPPORTED', `${exchange} is not offered in ${country}`);
  }
}

/**
 * Another request has moved the session (another click, or another tab), or the session has expired. The page of the
 * session shows its current state.
 */
export class SessionMoved extends Conflict {
  constructor() {
    super('Another request has changed this connect session, or the session has expired; open its page again');
  }
}

/**
 * The application has lost the right to connect: its API key was revoked, or the project no longer allows its pages.
 */
export class NoLongerAllowed extends Conflict {
  constructor() {
    super('The API key that made this link was revoked, or the project no longer allows this page to connect');
  }
}

/** PUBLIC_URL is not set, so the service does not know the address to which the exchange must return the person. */
export class NoPublicAddress extends DomainError {
  constructor() {
    super('GENERIC_INTERNAL_SERVER_ERROR', 'Connecting is not set up here: the operator has to set PUBLIC_URL', {
      status: 503,
      retryAfterSeconds: 60,
    });
  }
}

/** Converts a connector's error into one that the page and the API may show. @param name the exchange's display name */
export function toConnectError(error: AuthorizationError, name: string): DomainError {
  const toDomain: Record<AuthorizationFailure, () => DomainError> = {
    denied: () => new AccessDenied(name, error),
    invalid_state: () =>
      new InvalidState(`The response of ${name} does not belong to this attempt. Begin again`, error),
    exchange_failed: () => new TokenExchangeFailed(name, error),
    unavailable: () => new TokenExchangeFailed(name, error),
    grant_ended: () => new TokenExchangeFailed(name, error),
    insufficient_scope: () => new InsufficientScope(name, error),
    qr_unavailable: () => new QrCodeUnavailable(name, error),
  };
  return toDomain[error.failure]();
}

/** Returns the stored and published form of an error. It contains no details of unexpected errors. */
export function toSessionError(error: unknown): SessionError {
  if (!(error instanceof DomainError)) {
    return { error: 'Internal server error', type: 'GENERIC_INTERNAL_SERVER_ERROR' };
  }
  const { result } = error.details;
  return { error: error.message, type: error.code, ...(result === undefined ? {} : { result }) };
}

/**
 * A failed connect that has left an API key at the exchange. The error names the key, because only the key's owner can
 * delete it.
 */
export class KeyLeftAtExchange extends DomainError {
  constructor(failure: Error, keyName: string) {
    const { error, type, result } = toSessionError(failure);
    super(type, error, { result: { ...result, keyName }, cause: failure });
  }
}
