import type { Exchange } from '../exchange.js';
import type { OAuthGrant, OAuthProvider } from '../ledger/oauth-records.js';

export type Bearer = { grant: OAuthGrant } | { problem: 'unknown' | 'revoked' | 'expired' };

/** The token of an `Authorization` header. */
export function bearerOf(authorization: string | undefined): string | undefined {
  return /^Bearer (.+)$/i.exec(authorization ?? '')?.[1];
}

/** Returns the grant of an access token, or the reason for which the provider refuses the token. */
export function readBearer(
  { oauth }: Exchange,
  { token, provider }: { token: string | undefined; provider: OAuthProvider },
  now: Date,
): Bearer {
  const access = oauth.accessTokens.get(token ?? '');
  const grant = oauth.grants.get(access?.grantId ?? '');
  if (access === undefined || grant?.provider !== provider) return { problem: 'unknown' };
  if (access.revoked || grant.revoked) return { problem: 'revoked' };
  return access.expiresAt <= now.getTime() ? { problem: 'expired' } : { grant };
}
