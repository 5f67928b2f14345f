import type {
  AccessToken,
  CoinbaseKey,
  Identity,
  OAuthChange,
  OAuthClient,
  OAuthGrant,
  QrLogin,
} from './oauth-records.js';

/** Clients, grants and tokens by id. Only `apply` changes them. */
export class OAuthState {
  readonly clients = new Map<string, OAuthClient>();
  readonly grants = new Map<string, OAuthGrant>();
  /** Grant ids by every code and refresh token that was ever issued, so that a second use is noticed. */
  readonly grantsByCode = new Map<string, string>();
  readonly grantsByRefreshToken = new Map<string, string>();
  readonly accessTokens = new Map<string, AccessToken>();
  /** Access tokens by grant id. */
  readonly accessTokensOf = new Map<string, Set<string>>();
  readonly qrLogins = new Map<string, QrLogin>();
  readonly qrLoginsBySecret = new Map<string, string>();
  /** Identities by account id, only for those that the control API has set. */
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
      const { accountId, ...fields } = identity;
      this.identities.set(accountId, fields);
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
