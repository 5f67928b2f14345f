import { createHash, randomBytes, randomUUID } from 'node:crypto';
import type { Exchange } from '../exchange.js';
import type { AccessToken, AuthorizationCode, OAuthClient, OAuthGrant } from '../ledger/oauth-records.js';
import type { AuthorizationRequest } from './authorization-request.js';
import { OAuthError } from './oauth-error.js';
import { providers, type Provider } from './provider.js';

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

/** What a person allowed; the tokens come with its code. */
export function grantByCode(
  exchange: Exchange,
  request: AuthorizationRequest,
  { accountId, scopes }: Allowed,
  now: Date,
): OAuthGrant & { code: AuthorizationCode } {
  const { provider, client, redirectUri, namesRedirect, challenge, wallets } = request;
  const [asset] = wallets === 'one' ? exchange.bookOf(accountId).assets() : [];
  const grant = {
    ...{ id: randomUUID(), provider: provider.id, clientId: client.clientId, accountId, scopes },
    ...(asset === undefined ? {} : { asset }),
    code: {
      ...{ code: newToken(), redirectUri: namesRedirect ? redirectUri : null, challenge },
      ...{ expiresAt: now.getTime() + CODE_MS, usedAt: null },
    },
    ...{ refreshToken: null, refreshExpiresAt: null, revoked: false, createdAt: now.getTime() },
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
 * RFC 6749 4.1.3. A code that comes a second time ends what came of it (4.1.2).
 * @throws OAuthError `invalid_grant`
 */
export function takeCode(exchange: Exchange, presented: PresentedCode, now: Date): Tokens {
  const { provider, client, redirectUri, verifier } = presented;
  const grant = exchange.oauth.grants.get(exchange.oauth.grantsByCode.get(presented.code) ?? '');
  const code = grant?.code;
  if (grant === undefined || code === null || code === undefined || !isOf(grant, provider, client)) {
    throw new OAuthError('invalid_grant', 'the code is not known');
  }
  if (code.usedAt !== null) {
    revokeGrant(exchange, grant);
    throw new OAuthError('invalid_grant', 'the code was used before');
  }
  if (grant.revoked || code.expiresAt <= now.getTime()) throw new OAuthError('invalid_grant', 'the code has expired');
  if (code.redirectUri !== null && code.redirectUri !== redirectUri) {
    throw new OAuthError('invalid_grant', 'redirect_uri is not that of the authorization request');
  }
  if (!answersChallenge(code, verifier)) throw new OAuthError('invalid_grant', 'code_verifier does not match');
  return issue(exchange, { ...grant, code: { ...code, usedAt: now.getTime() } }, now);
}

/** A verifier without a challenge is refused, too: RFC 9700 2.1.1, against downgrades. */
function answersChallenge({ challenge }: AuthorizationCode, verifier: string | null): boolean {
  if (challenge === null || verifier === null) return challenge === null && verifier === null;
  const said = challenge.method === 'plain' ? verifier : createHash('sha256').update(verifier).digest('base64url');
  return said === challenge.value;
}

/**
 * A refresh token is exchanged once; a second time ends the grant, because one of the two was not the client.
 * @throws OAuthError `invalid_grant`
 */
export function takeRefreshToken(
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
    /** null = as before. */
    scopes: string[] | null;
  },
  now: Date,
): Tokens {
  const grant = exchange.oauth.grants.get(exchange.oauth.grantsByRefreshToken.get(refreshToken) ?? '');
  if (grant === undefined || !isOf(grant, provider, client)) {
    throw new OAuthError('invalid_grant', 'the refresh token is not known');
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
    throw new OAuthError('invalid_scope', 'more than was granted');
  }
  return issue(exchange, grant, now);
}

function isOf(grant: OAuthGrant, { id }: Provider, { clientId }: OAuthClient): boolean {
  return grant.provider === id && grant.clientId === clientId;
}

/** New tokens for a grant; the refresh token before them works no more. */
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
    ...{ token: newToken(), grantId: grant.id, createdAt: at, revoked: false },
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

/** Ends a grant with all that came of it, API keys too. */
export function revokeGrant(exchange: Exchange, grant: OAuthGrant): void {
  exchange.commit({ grant: { ...grant, revoked: true }, accessTokens: accessTokensOf(exchange, grant).map(asRevoked) });
  for (const key of exchange.keys.values()) {
    if (key.grantId === grant.id && !key.revoked) exchange.commit({ key: { ...key, revoked: true } });
  }
}

/** Of a token of either kind, whatever it is still worth; null = nobody's. */
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
