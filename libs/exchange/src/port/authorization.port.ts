import type { Secret } from '#platform/crypto';
import { RemoteError } from '#platform/errors';
import type { ExchangeCredentials } from './exchange.port.js';
import type { AccountIdentity } from './identity.port.js';

/** How a person connects an account: at the exchange's own page, by its app that reads a QR code, or by pasting a key. */
export const connectMethods = ['oauth', 'qr', 'key'] as const;
export type ConnectMethod = (typeof connectMethods)[number];

/** What an application may want to do with an account. */
export const accessKinds = ['read', 'deposit', 'trade', 'withdrawal'] as const;
export type AccessKind = (typeof accessKinds)[number];

/** An authorization that a person has been sent away for. Everything but `url` stays here, sealed. */
export interface PendingAuthorization {
  /** Where the browser goes. */
  url: string;
  /** 256 bits, sent along and brought back. */
  state: Secret;
  /** Of PKCE (S256). */
  codeVerifier: Secret;
}

/** What renews an access token. */
export interface Grant {
  refreshToken: Secret;
  /** null = the exchange does not say. */
  accessExpiresAt: Date | null;
  refreshExpiresAt: Date | null;
}

/** What an authorization has brought. */
export interface Authorized {
  credentials: ExchangeCredentials;
  /** null: the credentials do not expire, or cannot be renewed. */
  grant: Grant | null;
  /** In the exchange's words. */
  scopes: string[];
  /**
   * Whose account it is, where the exchange has told it now, to a token that is forgotten: a session opened later may be
   * told less (`ExchangeSession.identity`), so this one goes before it.
   */
  identity?: AccountIdentity;
  /** The key that the exchange has made for it, by the name that its owner sees; absent: none. */
  madeKey?: MadeKey;
}

export interface MadeKey {
  name: string;
  /** With which it can be deleted, while it is good: of no other use, and kept nowhere. */
  accessToken: Secret;
}

/** A login by the exchange's app that has been begun. */
export interface PendingQrLogin {
  /** What asks for its state. */
  id: Secret;
  /** What the QR code says. */
  content: string;
  expiresAt: Date;
}

export type QrLoginState =
  { status: 'waiting' | 'scanned' | 'denied' | 'expired' } | { status: 'confirmed'; authorized: Authorized };

/** Why an authorization did not come about. */
export type AuthorizationFailure =
  /** The person or the exchange said no. */
  | 'denied'
  /** What came back does not belong to what was sent: other state, other issuer. */
  | 'invalid_state'
  /** The exchange did not turn the code into credentials. */
  | 'exchange_failed'
  /** Less was granted than was asked for. */
  | 'insufficient_scope'
  | 'qr_unavailable'
  /** The exchange's definite word that the grant is over: revoked, expired, or used by somebody else. */
  | 'grant_ended'
  /** No response, or one that proves nothing. */
  | 'unavailable';

export class AuthorizationError extends RemoteError {
  constructor(
    readonly failure: AuthorizationFailure,
    readonly exchange: string,
    /** For logs and, without secrets, for callers. */
    readonly reason: string,
    cause?: unknown,
    /** Of a refresh: false = not a byte of it has left us, so the refresh token is not used up by it; true = it may be. */
    readonly sent: boolean = true,
  ) {
    super(`${exchange}: ${failure}: ${reason}`, { cause });
    this.name = 'AuthorizationError';
  }

  get logCause(): string {
    return `${this.exchange} ${this.failure}`;
  }
}
