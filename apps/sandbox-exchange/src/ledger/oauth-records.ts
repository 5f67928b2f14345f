/** What authorizations leave in the journal: plain JSON, times in epoch milliseconds. */

export const oauthProviders = ['kraken', 'coinbase', 'partner'] as const;
/** Whose authorization server it is: Kraken Connect, Coinbase's, or that of the partner API. */
export type OAuthProvider = (typeof oauthProviders)[number];

/** An application that may send people here. */
export interface OAuthClient {
  clientId: string;
  secret: string;
  name: string;
  /** Compared exactly. */
  redirectUris: string[];
  /** Also takes any port of the own machine, where the path ends with `/callback`. */
  takesLoopback: boolean;
  /** null = as the provider has it. */
  accessSeconds: number | null;
  refreshSeconds: number | null;
}

export interface CodeChallenge {
  value: string;
  method: 'S256' | 'plain';
}

export interface AuthorizationCode {
  code: string;
  /** What the token request has to say again; null = the authorization request did not say one. */
  redirectUri: string | null;
  challenge: CodeChallenge | null;
  expiresAt: number;
  usedAt: number | null;
}

/** What one person allowed one application. */
export interface OAuthGrant {
  id: string;
  provider: OAuthProvider;
  clientId: string;
  accountId: string;
  scopes: string[];
  /** Of Coinbase: the only asset whose wallet is open; absent = all of them. */
  asset?: string;
  /** null = it came by a QR login. */
  code: AuthorizationCode | null;
  /** The only refresh token that works; null = there is none. */
  refreshToken: string | null;
  refreshExpiresAt: number | null;
  revoked: boolean;
  createdAt: number;
}

export interface AccessToken {
  token: string;
  grantId: string;
  createdAt: number;
  expiresAt: number;
  revoked: boolean;
}

export const qrStatuses = ['waiting', 'scanned', 'confirmed', 'denied', 'expired'] as const;
export type QrStatus = (typeof qrStatuses)[number];

export interface QrLogin {
  id: string;
  /** Ends the address that the code leads to. */
  secret: string;
  clientId: string;
  scopes: string[];
  status: QrStatus;
  createdAt: number;
  expiresAt: number;
  /** Of a confirmed one. */
  tokens: { grantId: string; accessToken: string; refreshToken: string | null } | null;
}

/** What the exchange tells about an account's owner; null = it does not. */
export interface Identity {
  fullName: string | null;
  email: string | null;
  iban: string | null;
  /** ISO 3166-1 alpha-2. */
  country: string | null;
}

export const coinbasePermissions = ['view', 'trade', 'transfer'] as const;
export type CoinbasePermission = (typeof coinbasePermissions)[number];

export interface CoinbaseKey {
  apiKey: string;
  /** `cdp`: an EC private key in PEM; `legacy`: the key of an HMAC. */
  kind: 'cdp' | 'legacy';
  apiSecret: string;
  accountId: string;
  permissions: CoinbasePermission[];
  revoked: boolean;
  createdAt: number;
}

/** The part of a change that is about authorizations. */
export interface OAuthChange {
  oauthClient?: OAuthClient;
  grant?: OAuthGrant;
  accessTokens?: AccessToken[];
  qrLogin?: QrLogin;
  identity?: Identity & { accountId: string };
  coinbaseKey?: CoinbaseKey;
}
