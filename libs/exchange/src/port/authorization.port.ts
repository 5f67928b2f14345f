import type { Secret } from '#platform/crypto';
import { RemoteError } from '#platform/errors';
import type { ExchangeCredentials } from './exchange.port.js';
import type { AccountIdentity } from './identity.port.js';

/**
 * How a person connects an account: `oauth` at the exchange's own page, `qr` with the exchange's app, `key` by entering
 * an API key.
 */
export const connectMethods = ['oauth', 'qr', 'key'] as const;
export type ConnectMethod = (typeof connectMethods)[number];

/** The kinds of access to an account that an application can request. */
export const accessKinds = ['read', 'deposit', 'trade', 'withdrawal'] as const;
export type AccessKind = (typeof accessKinds)[number];

/**
 * An authorization that has begun, until the exchange redirects the person back to us. Callers store `state` and
 * `codeVerifier` encrypted, and do not store `url`.
 */
export interface PendingAuthorization {
  /** The address to which the browser is redirected. */
  url: string;
  /** 256 random bits, which are sent to the exchange with the browser and which the exchange returns. */
  state: Secret;
  /** The PKCE code verifier (method S256). */
  codeVerifier: Secret;
}

/** The refresh token that renews an access token, and when both expire. */
export interface Grant {
  refreshToken: Secret;
  /** The expiry of the access token; null = the exchange does not document or report it. */
  accessExpiresAt: Date | null;
  refreshExpiresAt: Date | null;
}

/** The result of a completed authorization. */
export interface Authorized {
  credentials: ExchangeCredentials;
  /** The grant that renews the credentials; null = they do not expire, or cannot be renewed. */
  grant: Grant | null;
  /** The granted scopes, in the exchange's notation. */
  scopes: string[];
  /**
   * The account's owner, read with the access token before this token is discarded. This value takes precedence over
   * `ExchangeSession.identity`, which reads with the stored credentials and may return less. Absent = not read.
   */
  identity?: AccountIdentity;
  /** The API key that the exchange created for this authorization; absent = none was created. */
  madeKey?: MadeKey;
}

export interface MadeKey {
  name: string;
  /** The token with which the key can be deleted while the token is valid. It has no other use and is not stored. */
  accessToken: Secret;
}

/** A login with the exchange's app that has begun. */
export interface PendingQrLogin {
  /** Identifies the login when its state is read. */
  id: Secret;
  /** The text that the QR code encodes. */
  content: string;
  expiresAt: Date;
}

export type QrLoginState =
  { status: 'waiting' | 'scanned' | 'denied' | 'expired' } | { status: 'confirmed'; authorized: Authorized };

/** Why an authorization failed. */
export type AuthorizationFailure =
  /** The person or the exchange refused. */
  | 'denied'
  /** The returned state or issuer differs from what was sent. */
  | 'invalid_state'
  /** The exchange did not exchange the code for usable credentials. */
  | 'exchange_failed'
  /** The person granted less than was requested. */
  | 'insufficient_scope'
  | 'qr_unavailable'
  /**
   * The exchange reported definitely that the grant has ended: it was revoked, has expired, or its single-use token was
   * used before.
   */
  | 'grant_ended'
  /** The exchange sent no response, or a response that does not show whether the request was executed. */
  | 'unavailable';

export class AuthorizationError extends RemoteError {
  /**
   * For a refresh: false = no byte of the request was sent, so the refresh token is still unused; true = it may be
   * used up.
   */
  readonly sent: boolean;

  constructor(
    readonly failure: AuthorizationFailure,
    readonly exchange: string,
    /** For logs and for callers; contains no secrets. */
    readonly reason: string,
    { cause, sent = true }: { cause?: unknown; sent?: boolean } = {},
  ) {
    super(`${exchange}: ${failure}: ${reason}`, { cause });
    this.sent = sent;
    this.name = 'AuthorizationError';
  }

  get logCause(): string {
    return `${this.exchange} ${this.failure}`;
  }
}
