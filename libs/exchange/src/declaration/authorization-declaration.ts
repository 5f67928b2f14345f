import type { Secret } from '#platform/crypto';
import type { AccessKind, MadeKey, PendingQrLogin } from '../port/authorization.port.js';
import type { ExchangeCredentials } from '../port/exchange.port.js';
import type { AccountIdentity } from '../port/identity.port.js';
import type { HttpResponse } from '../transport/transport.js';
import type { ClientAuthentication } from './client-authentication.js';

/** Addresses of an exchange's authorization server. */
export interface AuthorizationEndpoints {
  /** The page where the person grants access, which the browser opens. */
  readonly authorize: string;
  readonly token: string;
  /** Revocation endpoint (RFC 7009); absent = a grant cannot be revoked. */
  readonly revoke?: string;
}

/** Base addresses without a trailing slash. */
export interface AuthorizationBase {
  /** Address of the exchange's API as our processes reach it. */
  readonly api: string;
  /** Address of the authorization server as browsers reach it. */
  readonly browser: string;
}

/** An API key that was created with a token, and its name. */
export interface NamedKey {
  readonly credentials: ExchangeCredentials;
  readonly keyName: string;
}

/** The tokens that the exchange issued. */
export interface IssuedTokens {
  readonly accessToken: Secret;
  /** The granted scopes, in the exchange's notation. */
  readonly scopes: readonly string[];
}

/** Sends one call that is not part of OAuth. Throws for the statuses 429 and 5xx, and returns every other response. */
export type AuthorizationCall = (request: {
  /** The name of the call in metrics. */
  readonly operation: string;
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** Relative to the base address of the exchange's API. */
  readonly path: string;
  readonly authorization: { readonly bearer: Secret } | 'client';
  readonly json?: object;
}) => Promise<HttpResponse>;

export interface AuthorizationContext {
  readonly call: AuthorizationCall;
  readonly now: Date;
  readonly access: readonly AccessKind[];
  /** The addresses from which we call exchanges; empty = not configured. */
  readonly egressIps: readonly string[];
}

/** Login with the exchange's app, which scans a QR code. */
export interface QrDeclaration {
  readonly begin: (
    context: Pick<AuthorizationContext, 'call'> & { clientId: string; scope: string },
  ) => Promise<PendingQrLogin>;
  /** Reads the state of the login. The state `confirmed` contains the exchange's token response unchanged. */
  readonly read: (
    context: Pick<AuthorizationContext, 'call'>,
    id: Secret,
  ) => Promise<{ status: 'waiting' | 'scanned' | 'denied' | 'expired' } | { status: 'confirmed'; tokens: unknown }>;
}

/** How the owner of an account at this exchange authorizes us: OAuth 2 with authorization code, PKCE and state. */
export interface AuthorizationDeclaration {
  /** Absent = the real exchange offers no authorization. */
  readonly live?: (base: AuthorizationBase) => AuthorizationEndpoints;
  readonly sandbox: (base: AuthorizationBase) => AuthorizationEndpoints;
  readonly clientAuthentication: ClientAuthentication;
  /** Whether the server accepts only clients that have a secret. */
  readonly needsSecret?: boolean;
  /** The scopes that must be granted for each kind of access. */
  readonly scopes: Readonly<Partial<Record<AccessKind, readonly string[]>>>;
  /** Scopes that are also requested but not required. Token responses need not list them. */
  readonly alsoAsked: readonly string[];
  /** Additional parameters of the authorization address. */
  readonly parameters?: Readonly<Record<string, string>>;
  /** The identifier of the authorization server, if the server returns one in `iss` (RFC 9207). */
  readonly issuer?: (base: AuthorizationBase) => string;
  /**
   * `bearer`: the tokens are the credentials, and we renew them. Otherwise a function that creates credentials with the
   * first token, which is then discarded. When the function throws, there are no credentials.
   */
  readonly credentials: 'bearer' | ((tokens: IssuedTokens, context: AuthorizationContext) => Promise<NamedKey>);
  /** Deletes a created key. @throws when the deletion is not certain */
  readonly deleteKey?: (key: MadeKey, context: Pick<AuthorizationContext, 'call'>) => Promise<void>;
  /**
   * Reads the account's owner with the issued access token. Absent = the owner is read with the credentials, if the
   * session can read it. When the function throws, the owner stays unknown.
   */
  readonly identity?: (tokens: IssuedTokens, context: AuthorizationContext) => Promise<AccountIdentity>;
  /** Lifetime of a refresh token in days; null = not documented. */
  readonly refreshDays: number | null;
  /**
   * The token that the revocation endpoint takes. For `access_token`, the grant is renewed once more to get an access
   * token.
   */
  readonly revokedBy?: 'refresh_token' | 'access_token';
  readonly qr?: QrDeclaration;
}
