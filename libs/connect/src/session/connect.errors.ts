import type { AuthorizationError, AuthorizationFailure } from '#exchange';
import { DomainError, InvalidRequest } from '#platform/errors';
import type { SessionError } from './connect-view.js';

/** The exchange or its user said no, or nobody said anything in time. */
export class AuthorizationFailed extends DomainError {
  constructor(message: string, cause?: unknown) {
    super('OAUTH_AUTHORIZATION_FAILED', message, { cause });
  }
}

/** The person has authorized us, and the exchange gave no credentials for it, or did not answer. */
export class TokenExchangeFailed extends DomainError {
  constructor(exchange: string, cause?: unknown) {
    super('OAUTH_TOKEN_EXCHANGE_FAILED', `${exchange} did not give access to the account. Try again in a moment`, {
      cause,
    });
  }
}

/** What came does not belong to what this browser has begun. */
export class InvalidState extends DomainError {
  constructor(message = 'This answer belongs to no attempt of this browser. Begin again', cause?: unknown) {
    super('OAUTH_INVALID_STATE', message, { cause });
  }
}

/** Somebody else's page has sent a form in the name of the browser. */
export class ForeignRequest extends InvalidState {
  constructor() {
    super('This request did not come from the page itself');
  }
}

export class InsufficientScope extends DomainError {
  constructor(exchange: string, cause?: unknown) {
    super(
      'OAUTH_INSUFFICIENT_SCOPE',
      `${exchange} gave less access than was asked for. Try again and allow everything that is listed`,
      { cause },
    );
  }
}

export class QrCodeUnavailable extends DomainError {
  constructor(exchange: string, cause?: unknown) {
    super('OAUTH_QR_CODE_UNAVAILABLE', `${exchange} gives no QR code now. Try again in a moment, or another way`, {
      cause,
    });
  }
}

export class CountryCodeInvalid extends DomainError {
  constructor() {
    super('OAUTH_COUNTRY_CODE_INVALID', 'country must be an ISO 3166-1 alpha-2 code, such as DE');
  }
}

export class CountryNotDetected extends DomainError {
  constructor(exchange: string) {
    super('OAUTH_COUNTRY_NOT_DETECTED', `${exchange} is not offered everywhere, and the country is not known: send it`);
  }
}

export class CountryNotSupported extends DomainError {
  constructor(exchange: string, country: string) {
    super('OAUTH_COUNTRY_NOT_SUPPORTED', `${exchange} is not offered in ${country}`);
  }
}

/** The session has gone on meanwhile: by another click, in another tab, or by time. Its page shows where it is. */
export class SessionMoved extends InvalidRequest {
  constructor() {
    super('The connection has gone on meanwhile: look at its page', { status: 409 });
  }
}

/** What gave the application the right to ask is gone: its API key, or the word of the project for its pages. */
export class NoLongerAllowed extends InvalidRequest {
  constructor() {
    super('The application may not connect accounts any more with what it asked for this link', { status: 409 });
  }
}

/** Nobody may be sent to an address that is not known for sure. */
export class NoPublicAddress extends DomainError {
  constructor() {
    super('GENERIC_INTERNAL_SERVER_ERROR', 'Connecting is not set up here: the operator has to set PUBLIC_URL', {
      status: 503,
      retryAfterSeconds: 60,
    });
  }
}

/** What the person and the application are told of it; `name` is the exchange's for people. */
export function toConnectError(error: AuthorizationError, name: string): DomainError {
  const toDomain: Record<AuthorizationFailure, () => DomainError> = {
    denied: () => new AuthorizationFailed(`${name} was not allowed to give access: it was denied there`, error),
    invalid_state: () => new InvalidState(`What ${name} sent back does not belong to this attempt`, error),
    exchange_failed: () => new TokenExchangeFailed(name, error),
    unavailable: () => new TokenExchangeFailed(name, error),
    grant_ended: () => new TokenExchangeFailed(name, error),
    insufficient_scope: () => new InsufficientScope(name, error),
    qr_unavailable: () => new QrCodeUnavailable(name, error),
  };
  return toDomain[error.failure]();
}

/** As it is stored and told. What we did not expect is not shown. */
export function toSessionError(error: unknown): SessionError {
  if (!(error instanceof DomainError)) {
    return { error: 'Internal server error', type: 'GENERIC_INTERNAL_SERVER_ERROR' };
  }
  const { result } = error.details;
  return { error: error.message, type: error.code, ...(result === undefined ? {} : { result }) };
}

/** The same failure, of which a key is left at the exchange that could not be deleted: its owner has to. */
export class KeyLeftAtExchange extends DomainError {
  constructor(failure: Error, keyName: string) {
    const { error, type, result } = toSessionError(failure);
    super(type, error, { details: { result: { ...result, keyName } }, cause: failure });
  }
}
