import { createHash, randomBytes, randomUUID } from 'node:crypto';
import type { Exchange } from '../exchange.js';
import type { AccessToken, AuthorizationCode, OAuthClient, OAuthGrant } from '../ledger/oauth-records.js';
import type { AuthorizationRequest } from './authorization-request.js';
import { OAuthError } from './oauth-error.js';
import { providers, type Provider } from './provider.js';

/** Lifetime of an authorization code. */
const CODE_MS = 60_000;

const newToken = (): string => randomBytes(32).toString('base64url');

export interface Tokens {
  access: AccessToken;
  grant: OAuthGrant;
}

export interface Allowed {
  accountId: string;
  scopes: string[];
}

/** Stores a grant with its authorization code, which the application exchanges for tokens. */
export function grantByCode(
  exchange: Exchange,
  request: AuthorizationRequest,
  { accountId, scopes }: Allowed,
  now: Date,
): OAuthGrant & { code: AuthorizationCode } {
  const { provider, client, redirectUri, namesRedirect, challenge, wallets } = request;
  const [asset] = wallets === 'one' ? exchange.bookOf(accountId).assets() : [];
  const grant = {
    id: randomUUID(),
    provider: provider.id,
    clientId: client.clientId,
    accountId,
    scopes,
    ...(asset === undefined ? {} : { asset }),
    code: {
      code: newToken(),
      redirectUri: namesRedirect ? redirectUri : null,
      challenge,
      expiresAt: now.getTime() + CODE_MS,
      usedAt: null,
    },
    refreshToken: null,
    refreshExpiresAt: null,
    revoked: false,
    createdAt: now.getTime(),
  };
  exchange.commit({ grant });
  return grant;
}

interface PresentedCode {
  provider: Provider;
  client: OAuthClient;
  code: string;
  redirectUri: string | null;
  verifier: string | null;
}

/**
 * Exchanges a code for tokens (RFC 6749 4.1.3). A second use of the code revokes its grant (4.1.2).
 * @throws OAuthError `invalid_grant`
 */
export function redeemCode(exchange: Exchange, presented: PresentedCode, now: Date): Tokens {
  const { provider, client, redirectUri, verifier } = presented;
  const grant = exchange.oauth.grants.get(exchange.oauth.grantsByCode.get(presented.code) ?? '');
  const code = grant?.code;
  if (grant === undefined || code === null || code === undefined || !isOf(grant, provider, client)) {
    throw new OAuthError('invalid_grant', 'the code is unknown');
  }
  if (code.usedAt !== null) {
    revokeGrant(exchange, grant);
    throw new OAuthError('invalid_grant', 'the code was used before');
  }
  if (grant.revoked || code.expiresAt <= now.getTime()) throw new OAuthError('invalid_grant', 'the code has expired');
  if (code.redirectUri !== null && code.redirectUri !== redirectUri) {
    throw new OAuthError('invalid_grant', 'redirect_uri differs from the authorization request');
  }
  if (!matchesChallenge(code, verifier)) throw new OAuthError('invalid_grant', 'code_verifier does not match');
  return issue(exchange, { ...grant, code: { ...code, usedAt: now.getTime() } }, now);
}

/** Also refuses a verifier without a challenge, as RFC 9700 2.1.1 demands against downgrade attacks. */
function matchesChallenge({ challenge }: AuthorizationCode, verifier: string | null): boolean {
  if (challenge === null || verifier === null) return challenge === null && verifier === null;
  const presentedChallenge =
    challenge.method === 'plain' ? verifier : createHash('sha256').update(verifier).digest('base64url');
  return presentedChallenge === challenge.value;
}

/**
 * Exchanges a refresh token for new tokens. A second use revokes the grant, because one of the two callers is not the
 * client.
 * @throws OAuthError `invalid_grant`
 */
export function redeemRefreshToken(
  exchange: Exchange,
  {
    provider,
    client,
    refreshToken,
    scopes,
  }: {
    provider: Provider;
    client: OAuthClient;
    refreshToken: string;
    /** Null keeps the scopes of the grant. */
    scopes: string[] | null;
  },
  now: Date,
): Tokens {
  const grant = exchange.oauth.grants.get(exchange.oauth.grantsByRefreshToken.get(refreshToken) ?? '');
  if (grant === undefined || !isOf(grant, provider, client)) {
    throw new OAuthError('invalid_grant', 'the refresh token is unknown');
  }
  if (grant.revoked) throw new OAuthError('invalid_grant', 'the grant was revoked');
  if (grant.refreshToken !== refreshToken) {
    revokeGrant(exchange, grant);
    throw new OAuthError('invalid_grant', 'the refresh token was used before');
  }
  if ((grant.refreshExpiresAt ?? 0) <= now.getTime()) {
    throw new OAuthError('invalid_grant', 'the refresh token has expired', provider.expiredRefreshStatus);
  }
  if (scopes?.some((scope) => !grant.scopes.includes(scope)) === true) {
    throw new OAuthError('invalid_scope', 'the request contains a scope that was not granted');
  }
  return issue(exchange, grant, now);
}

function isOf(grant: OAuthGrant, { id }: Provider, { clientId }: OAuthClient): boolean {
  return grant.provider === id && grant.clientId === clientId;
}

/** Issues new tokens for a grant; the previous refresh token stops working. */
export function issue(exchange: Exchange, grant: OAuthGrant, now: Date): Tokens {
  const provider = providers[grant.provider];
  const client = exchange.oauth.clients.get(grant.clientId);
  const at = now.getTime();
  const isRefreshable = provider.refreshScope === null || grant.scopes.includes(provider.refreshScope);
  const issued: OAuthGrant = {
    ...grant,
    refreshToken: isRefreshable ? newToken() : null,
    refreshExpiresAt: isRefreshable ? at + (client?.refreshSeconds ?? provider.refreshSeconds) * 1_000 : null,
  };
  const access: AccessToken = {
    token: newToken(),
    grantId: grant.id,
    createdAt: at,
    revoked: false,
    expiresAt: at + (client?.accessSeconds ?? provider.accessSeconds) * 1_000,
  };
  const ended = provider.endsAccessAtRefresh ? accessTokensOf(exchange, grant).map(asRevoked) : [];
  exchange.commit({ grant: issued, accessTokens: [...ended, access] });
  return { access, grant: issued };
}

const asRevoked = (access: AccessToken): AccessToken => ({ ...access, revoked: true });

function accessTokensOf({ oauth }: Exchange, { id }: OAuthGrant): AccessToken[] {
  return [...(oauth.accessTokensOf.get(id) ?? [])].flatMap((token) => oauth.accessTokens.get(token) ?? []);
}

/** Revokes a grant with its tokens and API keys. */
export function revokeGrant(exchange: Exchange, grant: OAuthGrant): void {
  exchange.commit({ grant: { ...grant, revoked: true }, accessTokens: accessTokensOf(exchange, grant).map(asRevoked) });
  for (const key of exchange.keys.values()) {
    if (key.grantId === grant.id && !key.revoked) exchange.commit({ key: { ...key, revoked: true } });
  }
}

/** The grant of an access or refresh token, even of an expired or revoked one; null when the token is unknown. */
export function grantOf({ oauth }: Exchange, token: string): OAuthGrant | null {
  const id = oauth.accessTokens.get(token)?.grantId ?? oauth.grantsByRefreshToken.get(token) ?? '';
  return oauth.grants.get(id) ?? null;
}

/** Lets tokens of a grant expire now. */
export function expire(exchange: Exchange, grant: OAuthGrant, what: 'access' | 'refresh' | 'both', now: Date): void {
  const at = now.getTime();
  const accessTokens = accessTokensOf(exchange, grant).map((access) => ({ ...access, expiresAt: at }));
  exchange.commit({
    ...(what === 'refresh' ? {} : { accessTokens }),
    ...(what === 'access' ? {} : { grant: { ...grant, refreshExpiresAt: at } }),
  });
}
