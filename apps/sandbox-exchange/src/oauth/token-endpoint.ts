import type { Reply } from '../faults/protocol.js';
import type { Exchange } from '../exchange.js';
import { scopesOf } from './authorization-request.js';
import { bearerOf } from './bearer.js';
import type { OAuthClients } from './clients.js';
import { grantOf, revokeGrant, redeemCode, redeemRefreshToken, type Tokens } from './grants.js';
import { OAuthError } from './oauth-error.js';
import { providers, type Provider } from './provider.js';

export interface OAuthCall {
  exchange: Exchange;
  clients: OAuthClients;
  provider: Provider;
  authorization: string | undefined;
  form: URLSearchParams;
  now: Date;
}

/** RFC 6749 5.1: responses with tokens must not be cached. */
export const UNCACHED = { 'cache-control': 'no-store', pragma: 'no-cache' };

/** Converts an `OAuthError` into a response. Any other error is a defect of the sandbox and propagates. */
export function refusingOAuth(work: () => Reply): Reply {
  try {
    return work();
  } catch (error) {
    if (error instanceof OAuthError) return error.toReply();
    throw error;
  }
}

/** The token endpoint: RFC 6749 4.1.3 and 6. */
export function token(call: OAuthCall): Reply {
  const { exchange, clients, provider, form, now } = call;
  const client = clients.authenticate(provider, call);
  const needed = (name: string): string => {
    const values = form.getAll(name);
    if (values.length === 1 && values[0] !== undefined && values[0] !== '') return values[0];
    throw new OAuthError('invalid_request', `${name} is required exactly once`);
  };
  const grantType = needed('grant_type');
  if (grantType === 'authorization_code') {
    const [code, redirectUri, verifier] = [needed('code'), form.get('redirect_uri'), form.get('code_verifier')];
    return tokensReply(redeemCode(exchange, { provider, client, code, redirectUri, verifier }, now), now);
  }
  if (grantType !== 'refresh_token')
    throw new OAuthError('unsupported_grant_type', 'grant_type must be authorization_code or refresh_token');
  const scope = form.get('scope');
  const scopes =
    scope === null ? null : scopesOf(provider, scope, (message) => new OAuthError('invalid_scope', message));
  const refreshToken = needed('refresh_token');
  return tokensReply(redeemRefreshToken(exchange, { provider, client, refreshToken, scopes }, now), now);
}

function tokensReply(tokens: Tokens, now: Date): Reply {
  return { status: 200, body: describeTokens(tokens, now), headers: UNCACHED };
}

export function describeTokens({ access, grant }: Tokens, now: Date): Record<string, unknown> {
  const { tokenType, returnsScope } = providers[grant.provider];
  return {
    access_token: access.token,
    token_type: tokenType,
    expires_in: Math.max(0, Math.floor((access.expiresAt - now.getTime()) / 1_000)),
    ...(grant.refreshToken === null ? {} : { refresh_token: grant.refreshToken }),
    ...(returnsScope ? { scope: grant.scopes.join(' ') } : {}),
  };
}

/**
 * RFC 7009, for the partner API: an access token or a refresh token revokes the grant; an unknown token counts as
 * already revoked.
 */
export function revoke(call: OAuthCall): Reply {
  const { exchange, clients, provider, form } = call;
  const client = clients.authenticate(provider, call);
  const given = form.get('token');
  if (given === null || given === '') throw new OAuthError('invalid_request', 'token is required');
  const grant = grantOf(exchange, given);
  if (grant !== null && (grant.clientId !== client.clientId || grant.provider !== provider.id)) {
    throw new OAuthError('unauthorized_client', 'the token belongs to another client');
  }
  if (grant !== null && !grant.revoked) revokeGrant(exchange, grant);
  return { status: 200, body: {}, headers: UNCACHED };
}

/**
 * Coinbase's revocation. Source:
 * https://docs.cdp.coinbase.com/coinbase-app/oauth2-integration/access-and-refresh-tokens.
 * The request contains the access token twice: to be revoked, and as proof. "200 OK is returned for both successful and
 * unsuccessful requests". The client's secret is also accepted as proof, although the page does not mention it.
 */
export function revokeAtCoinbase(call: OAuthCall): Reply {
  const { exchange, authorization, form, now } = call;
  const proof = bearerOf(authorization) ?? form.get('access_token') ?? '';
  const grant = grantOf(exchange, form.get('token') ?? '');
  const access = exchange.oauth.accessTokens.get(proof);
  const isLive = access !== undefined && !access.revoked && access.expiresAt > now.getTime();
  const isProved = isLive ? access.grantId === grant?.id : isClients(call, grant?.clientId);
  if (grant !== null && grant.provider === 'coinbase' && !grant.revoked && isProved) revokeGrant(exchange, grant);
  return { status: 200, body: {} };
}

function isClients({ clients, form }: OAuthCall, clientId: string | undefined): boolean {
  try {
    return (
      clients.authenticate({ clientAuthentication: ['body'] }, { authorization: undefined, form }).clientId === clientId
    );
  } catch (error) {
    if (error instanceof OAuthError) return false;
    throw error;
  }
}
