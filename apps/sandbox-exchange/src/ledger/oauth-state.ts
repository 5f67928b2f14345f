import type {
  AccessToken,
  CoinbaseKey,
  Identity,
  OAuthChange,
  OAuthClient,
  OAuthGrant,
  QrLogin,
} from './oauth-records.js';

/** Clients, grants and what they brought, by id. Changes only by `apply`. */
export class OAuthState {
  readonly clients = new Map<string, OAuthClient>();
  readonly grants = new Map<string, OAuthGrant>();
  /** Grant ids, by every code and every refresh token that there ever was: a second use has to be noticed. */
  readonly grantsByCode = new Map<string, string>();
  readonly grantsByRefreshToken = new Map<string, string>();
  readonly accessTokens = new Map<string, AccessToken>();
  /** Tokens, by grant. */
  readonly accessTokensOf = new Map<string, Set<string>>();
  readonly qrLogins = new Map<string, QrLogin>();
  readonly qrLoginsBySecret = new Map<string, string>();
  /** By account; only where the control API said something. */
  readonly identities = new Map<string, Identity>();
  readonly coinbaseKeys = new Map<string, CoinbaseKey>();

  apply({ oauthClient, grant, accessTokens, qrLogin, identity, coinbaseKey }: OAuthChange): void {
    if (oauthClient !== undefined) this.clients.set(oauthClient.clientId, oauthClient);
    if (grant !== undefined) this.applyGrant(grant);
    for (const access of accessTokens ?? []) this.applyAccess(access);
    if (qrLogin !== undefined) {
      this.qrLogins.set(qrLogin.id, qrLogin);
      this.qrLoginsBySecret.set(qrLogin.secret, qrLogin.id);
    }
    if (identity !== undefined) {
      const { accountId, ...told } = identity;
      this.identities.set(accountId, told);
    }
    if (coinbaseKey !== undefined) this.coinbaseKeys.set(coinbaseKey.apiKey, coinbaseKey);
  }

  private applyGrant(grant: OAuthGrant): void {
    this.grants.set(grant.id, grant);
    if (grant.code !== null) this.grantsByCode.set(grant.code.code, grant.id);
    if (grant.refreshToken !== null) this.grantsByRefreshToken.set(grant.refreshToken, grant.id);
  }

  private applyAccess(access: AccessToken): void {
    this.accessTokens.set(access.token, access);
    const tokens = this.accessTokensOf.get(access.grantId) ?? new Set();
    this.accessTokensOf.set(access.grantId, tokens.add(access.token));
  }

  clear(): void {
    this.clients.clear();
    this.grants.clear();
    this.grantsByCode.clear();
    this.grantsByRefreshToken.clear();
    this.accessTokens.clear();
    this.accessTokensOf.clear();
    this.qrLogins.clear();
    this.qrLoginsBySecret.clear();
    this.identities.clear();
    this.coinbaseKeys.clear();
  }
}
