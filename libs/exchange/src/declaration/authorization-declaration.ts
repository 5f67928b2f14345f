import type { Secret } from '#platform/crypto';
import type { AccessKind, MadeKey, PendingQrLogin } from '../port/authorization.port.js';
import type { ExchangeCredentials } from '../port/exchange.port.js';
import type { AccountIdentity } from '../port/identity.port.js';
import type { HttpResponse } from '../transport/transport.js';
import type { ClientAuthentication } from './client-authentication.js';

/** Where an exchange's authorization server is. */
export interface AuthorizationEndpoints {
  /** Where the person says yes; opened by their browser. */
  readonly authorize: string;
  readonly token: string;
  /** RFC 7009; absent = a grant cannot be given back. */
  readonly revoke?: string;
}

/** Base addresses without a slash at the end. */
export interface AuthorizationBase {
  /** Of the exchange's API. */
  readonly api: string;
  /** The same as browsers reach it. */
  readonly browser: string;
}

/** A key that was made of a token, and its name. */
export interface NamedKey {
  readonly credentials: ExchangeCredentials;
  readonly keyName: string;
}

/** Tokens as the exchange gave them. */
export interface IssuedTokens {
  readonly accessToken: Secret;
  /** What was granted, in the exchange's words. */
  readonly scopes: readonly string[];
}

/** One call to the exchange that is none of the protocol's own; the response comes whatever it says, but for 429 and 5xx. */
export type AuthorizationCall = (request: {
  /** The name of the call in metrics. */
  readonly operation: string;
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** Below the address of the exchange's API. */
  readonly path: string;
  readonly authorization: { readonly bearer: Secret } | 'client';
  readonly json?: object;
}) => Promise<HttpResponse>;

export interface AuthorizationContext {
  readonly call: AuthorizationCall;
  readonly now: Date;
  readonly access: readonly AccessKind[];
  /** Addresses from which we call exchanges; empty = not configured. */
  readonly egressIps: readonly string[];
}

/** A login by the exchange's app, by what its code says. */
export interface QrDeclaration {
  readonly begin: (
    context: Pick<AuthorizationContext, 'call'> & { clientId: string; scope: string },
  ) => Promise<PendingQrLogin>;
  /** With `confirmed` the exchange's token response, as it came. */
  readonly read: (
    context: Pick<AuthorizationContext, 'call'>,
    id: Secret,
  ) => Promise<{ status: 'waiting' | 'scanned' | 'denied' | 'expired' } | { status: 'confirmed'; tokens: unknown }>;
}

/** How the owner of an account at this exchange authorizes us: OAuth 2 with code, PKCE and state. */
export interface AuthorizationDeclaration {
  /** Absent = there is nothing of the sort at the real exchange. */
  readonly live?: (base: AuthorizationBase) => AuthorizationEndpoints;
  readonly sandbox: (base: AuthorizationBase) => AuthorizationEndpoints;
  readonly clientAuthentication: ClientAuthentication;
  /** Whether it knows no clients without a secret. */
  readonly needsSecret?: boolean;
  /** What has to be granted for each kind of access that the exchange is declared with. */
  readonly scopes: Readonly<Partial<Record<AccessKind, readonly string[]>>>;
  /** Asked for besides; an account without them works, and token answers need not list them. */
  readonly alsoAsked: readonly string[];
  /** Further parameters of the address to which the browser is sent. */
  readonly parameters?: Readonly<Record<string, string>>;
  /** Of the authorization server, where it names itself in `iss` when it sends the browser back (RFC 9207). */
  readonly issuer?: (base: AuthorizationBase) => string;
  /**
   * Bearer tokens that are renewed, or credentials made of the first token, which is then forgotten. What the hook throws
   * means that there are none.
   */
  readonly credentials: 'bearer' | ((tokens: IssuedTokens, context: AuthorizationContext) => Promise<NamedKey>);
  /** Deletes a key that was made. @throws when nobody can tell that it is gone */
  readonly deleteKey?: (key: MadeKey, context: Pick<AuthorizationContext, 'call'>) => Promise<void>;
  /** Whose account it is, where only this token is told. What the hook throws means that it is not. */
  readonly identity?: (tokens: IssuedTokens, context: AuthorizationContext) => Promise<AccountIdentity>;
  /** How long a refresh token lasts; null = not documented. */
  readonly refreshDays: number | null;
  /** What the revocation endpoint takes. With `access_token` the grant is renewed a last time for it. */
  readonly revokedBy?: 'refresh_token' | 'access_token';
  readonly qr?: QrDeclaration;
}
