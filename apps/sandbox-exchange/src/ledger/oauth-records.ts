/** Records of authorizations in the journal: plain JSON, times in epoch milliseconds. */

export const oauthProviders = ['kraken', 'coinbase', 'partner'] as const;
/** The authorization server: Kraken Connect, Coinbase's, or that of the partner API. */
export type OAuthProvider = (typeof oauthProviders)[number];

/** An application that is registered as an OAuth client. */
export interface OAuthClient {
  clientId: string;
  secret: string;
  name: string;
  /** A redirect address must equal one of these. */
  redirectUris: string[];
  /** Whether any port of the loopback address is allowed, when the path ends with `/callback`. */
  takesLoopback: boolean;
  /** Null uses the provider's lifetime. */
  accessSeconds: number | null;
  refreshSeconds: number | null;
}

export interface CodeChallenge {
  value: string;
  method: 'S256' | 'plain';
}

export interface AuthorizationCode {
  code: string;
  /** The redirect URI that the token request must repeat; null when the authorization request contained none. */
  redirectUri: string | null;
  challenge: CodeChallenge | null;
  expiresAt: number;
  usedAt: number | null;
}

/** The access that one person has granted to one application. */
export interface OAuthGrant {
  id: string;
  provider: OAuthProvider;
  clientId: string;
  accountId: string;
  scopes: string[];
  /** The only asset whose wallet Coinbase opens to the application; absent = all assets. */
  asset?: string;
  /** Null when a QR login created the grant. */
  code: AuthorizationCode | null;
  /** The only refresh token that works; null when there is none. */
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
  /** Last segment of the URL in the QR code. */
  secret: string;
  clientId: string;
  scopes: string[];
  status: QrStatus;
  createdAt: number;
  expiresAt: number;
  /** The tokens of a confirmed login. */
  tokens: { grantId: string; accessToken: string; refreshToken: string | null } | null;
}

/** The identity of an account's owner. A null field is missing from responses. */
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
  /** `cdp`: the secret is an EC private key in PEM. `legacy`: the secret is an HMAC key. */
  kind: 'cdp' | 'legacy';
  apiSecret: string;
  accountId: string;
  permissions: CoinbasePermission[];
  revoked: boolean;
  createdAt: number;
}

/** The part of a change that concerns authorizations. */
export interface OAuthChange {
  oauthClient?: OAuthClient;
  grant?: OAuthGrant;
  accessTokens?: AccessToken[];
  qrLogin?: QrLogin;
  identity?: Identity & { accountId: string };
  coinbaseKey?: CoinbaseKey;
}
