import { createHmac, createPublicKey, timingSafeEqual, verify } from 'node:crypto';
import { z } from 'zod';
import type { Exchange } from '../exchange.js';
import type { CoinbaseKey, CoinbasePermission } from '../ledger/oauth-records.js';
import { bearerOf, readBearer } from '../oauth/bearer.js';
import { CoinbaseError } from './coinbase-error.js';

export interface CoinbaseRequest {
  method: string;
  /** The path without the query, for example `/v2/user`. */
  path: string;
  /** Query string with its question mark, or an empty string. */
  query: string;
  authorization: string | undefined;
  accessKey: string | undefined;
  accessSign: string | undefined;
  accessTimestamp: string | undefined;
  rawBody: string;
}

/** The caller: an application with a grant, or the owner with an API key. */
export interface CoinbaseCaller {
  accountId: string;
  /** The only asset whose wallet the caller may see; absent for all. */
  asset?: string;
  by: { scopes: readonly string[] } | { permissions: readonly CoinbasePermission[] };
}

/**
 * Allowed clock difference for legacy keys:
 * https://docs.cdp.coinbase.com/coinbase-app/authentication-authorization/api-key-authentication.
 */
const TIMESTAMP_SECONDS = 30;
/** Longest lifetime of the tokens of CDP keys. */
const JWT_SECONDS = 120;

/** @throws CoinbaseError */
export function authenticate(exchange: Exchange, request: CoinbaseRequest, now: Date): CoinbaseCaller {
  const token = bearerOf(request.authorization);
  if (token === undefined) return byKey(legacyKey(exchange, request, now));
  if (token.split('.').length === 3) return byKey(cdpKey(exchange, { ...request, token }, now));
  const bearer = readBearer(exchange, { token, provider: 'coinbase' }, now);
  if ('grant' in bearer) {
    const { accountId, asset, scopes } = bearer.grant;
    return { accountId, asset, by: { scopes } };
  }
  if (bearer.problem === 'revoked') throw new CoinbaseError('revoked_token', 'The access token was revoked');
  if (bearer.problem === 'expired') throw new CoinbaseError('expired_token', 'The access token has expired');
  throw new CoinbaseError('invalid_token', 'The access token is invalid');
}

const byKey = ({ accountId, permissions }: CoinbaseKey): CoinbaseCaller => ({ accountId, by: { permissions } });

function keyOf({ oauth }: Exchange, apiKey: string, kind: CoinbaseKey['kind']): CoinbaseKey {
  const key = oauth.coinbaseKeys.get(apiKey);
  if (key === undefined || key.kind !== kind || key.revoked) {
    throw new CoinbaseError('authentication_error', 'invalid api key');
  }
  return key;
}

/**
 * CB-ACCESS-SIGN: hex(HMAC-SHA256(secret, timestamp + method + path + body)). Under `/v2` the path includes the query,
 * under `/api/v3` it does not.
 */
function legacyKey(exchange: Exchange, request: CoinbaseRequest, now: Date): CoinbaseKey {
  const { method, path, query, rawBody, accessKey = '', accessSign = '', accessTimestamp = '' } = request;
  const key = keyOf(exchange, accessKey, 'legacy');
  const signed = accessTimestamp + method + path + (path.startsWith('/api/v3') ? '' : query) + rawBody;
  const expected = createHmac('sha256', key.apiSecret).update(signed).digest();
  const given = Buffer.from(accessSign, 'hex');
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) {
    throw new CoinbaseError('authentication_error', 'invalid signature');
  }
  if (!(Math.abs(now.getTime() / 1_000 - Number(accessTimestamp)) <= TIMESTAMP_SECONDS)) {
    throw new CoinbaseError('authentication_error', 'request timestamp expired');
  }
  return key;
}

const jwtHeader = z.object({ alg: z.literal('ES256'), kid: z.string() });
const jwtClaims = z.object({ sub: z.string(), nbf: z.number(), exp: z.number(), uri: z.string() });

/**
 * Verifies the token of a CDP key.
 * Source: https://docs.cdp.coinbase.com/coinbase-app/authentication-authorization/api-key-authentication. The token is
 * signed with ES256 and lives for at most two minutes. `sub` and `kid` contain the name of the key, and `uri` the call.
 * Only the method and path of `uri` are checked, because the sandbox exchange can have any host name.
 */
function cdpKey(
  exchange: Exchange,
  { method, path, token }: CoinbaseRequest & { token: string },
  now: Date,
): CoinbaseKey {
  const refusal = new CoinbaseError('authentication_error', 'invalid token');
  const [head = '', body = '', signature = ''] = token.split('.');
  const header = jwtHeader.safeParse(jsonOf(head));
  const claims = jwtClaims.safeParse(jsonOf(body));
  if (!header.success || !claims.success || header.data.kid !== claims.data.sub) throw refusal;
  const key = keyOf(exchange, claims.data.sub, 'cdp');
  const publicKey = { key: createPublicKey(key.apiSecret), dsaEncoding: 'ieee-p1363' } as const;
  if (!verify('sha256', Buffer.from(`${head}.${body}`), publicKey, Buffer.from(signature, 'base64url'))) throw refusal;
  const { nbf, exp, uri } = claims.data;
  const seconds = now.getTime() / 1_000;
  const isInTime = nbf <= seconds + 1 && exp > seconds && exp <= seconds + JWT_SECONDS + 1;
  if (!isInTime || !uri.startsWith(`${method} `) || !uri.endsWith(path)) throw refusal;
  return key;
}

/** The name of the API key in the token of an `authorization` header, or the token itself if it names no key. */
export function credentialIn(authorization: string | undefined): string | undefined {
  const token = bearerOf(authorization);
  const parts = token?.split('.') ?? [];
  const claims = parts.length === 3 ? jwtClaims.safeParse(jsonOf(parts[1] ?? '')) : null;
  return claims?.data?.sub ?? token;
}

function jsonOf(part: string): unknown {
  try {
    return JSON.parse(Buffer.from(part, 'base64url').toString());
  } catch {
    return undefined;
  }
}

/** @throws CoinbaseError `invalid_scope` */
export function demand(
  { by }: CoinbaseCaller,
  { scope, permission }: { scope: string; permission: CoinbasePermission },
): void {
  if (!may({ by }, { scope, permission })) throw new CoinbaseError('invalid_scope', 'Invalid scope');
}

export function may(
  { by }: Pick<CoinbaseCaller, 'by'>,
  { scope, permission }: { scope: string; permission: CoinbasePermission },
): boolean {
  return 'scopes' in by ? by.scopes.includes(scope) : by.permissions.includes(permission);
}
