import type { Reply } from '../faults/dialect.js';
import type { Exchange } from '../exchange.js';
import { scopesOf } from './authorization-request.js';
import type { OAuthClients } from './clients.js';
import { grantOf, revokeGrant, takeCode, takeRefreshToken, type Tokens } from './grants.js';
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

/** RFC 6749 5.1: nobody keeps it. */
export const UNCACHED = { 'cache-control': 'no-store', pragma: 'no-cache' };

/** An error of the call becomes its answer; any other is the exchange's own and goes on. */
export function refusingOAuth(work: () => Reply): Reply {
  try {
    return work();
  } catch (error) {
    if (error instanceof OAuthError) return error.toReply();
    throw error;
  }
}

/** RFC 6749 4.1.3 and 6. */
export function token(call: OAuthCall): Reply {
  const { exchange, clients, provider, form, now } = call;
  const client = clients.authenticate(provider, call);
  const needed = (name: string): string => {
    const values = form.getAll(name);
    if (values.length === 1 && values[0] !== undefined && values[0] !== '') return values[0];
    throw new OAuthError('invalid_request', `${name} is needed, once`);
  };
  const grantType = needed('grant_type');
  if (grantType === 'authorization_code') {
    const [code, redirectUri, verifier] = [needed('code'), form.get('redirect_uri'), form.get('code_verifier')];
    return tokensReply(takeCode(exchange, { provider, client, code, redirectUri, verifier }, now), now);
  }
  if (grantType !== 'refresh_token') throw new OAuthError('unsupported_grant_type', 'no such grant type');
  const scope = form.get('scope');
  const scopes = scope === null ? null : scopesOf(provider, scope);
  if (scope !== null && scopes === null) throw new OAuthError('invalid_scope', 'a scope is not known');
  const refreshToken = needed('refresh_token');
  return tokensReply(takeRefreshToken(exchange, { provider, client, refreshToken, scopes }, now), now);
}

function tokensReply(tokens: Tokens, now: Date): Reply {
  return { status: 200, body: describeTokens(tokens, now), headers: UNCACHED };
}

export function describeTokens({ access, grant }: Tokens, now: Date): Record<string, unknown> {
  const { tokenType, tellsScope } = providers[grant.provider];
  return {
    access_token: access.token,
    token_type: tokenType,
    expires_in: Math.max(0, Math.floor((access.expiresAt - now.getTime()) / 1_000)),
    ...(grant.refreshToken === null ? {} : { refresh_token: grant.refreshToken }),
    ...(tellsScope ? { scope: grant.scopes.join(' ') } : {}),
  };
}

/** RFC 7009, of our own provider: either token ends the grant; one that nobody knows is none any more. */
export function revoke(call: OAuthCall): Reply {
  const { exchange, clients, provider, form } = call;
  const client = clients.authenticate(provider, call);
  const given = form.get('token');
  if (given === null || given === '') throw new OAuthError('invalid_request', 'token is needed');
  const grant = grantOf(exchange, given);
  if (grant !== null && (grant.clientId !== client.clientId || grant.provider !== provider.id)) {
    throw new OAuthError('unauthorized_client', 'the token is not of this client');
  }
  if (grant !== null && !grant.revoked) revokeGrant(exchange, grant);
  return { status: 200, body: {}, headers: UNCACHED };
}

/**
 * https://docs.cdp.coinbase.com/coinbase-app/oauth2-integration/access-and-refresh-tokens: the access token comes twice,
 * to be revoked and as the proof; "200 OK is returned for both successful and unsuccessful requests". The client's
 * secret, which the page does not name, is taken as a proof, too.
 */
export function revokeAtCoinbase(call: OAuthCall): Reply {
  const { exchange, authorization, form, now } = call;
  const proof = /^Bearer (.+)$/i.exec(authorization ?? '')?.[1] ?? form.get('access_token') ?? '';
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
