import { createHmac, createPrivateKey, randomBytes, sign, type KeyObject } from 'node:crypto';
import { queryOf, type Signer } from '../../client/signature.js';
import type { HttpRequest } from '../../transport/transport.js';

/** "Your JWT expires after 2 minutes". */
const TOKEN_SECONDS = 120;
/** The version of the API: api-architecture/versioning. */
const FIXED = { 'CB-VERSION': '2018-05-30', 'Content-Type': 'application/json' };
/** The bytes before the seed of an Ed25519 key in PKCS 8 (RFC 8410, 7). */
const ED25519_PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex');
const SEED_BYTES = 32;

/**
 * A call has the access token of an authorized account, a token that the key of the developer platform signs
 * (docs.cdp.coinbase.com/coinbase-app/authentication-authorization/api-key-authentication), or the signature of an
 * older key, which Coinbase documented until 2025: the HMAC-SHA256 of time, method, path and body.
 */
export const signCoinbase: Signer = (
  { baseUrl, method, path, params, nonce },
  { apiKey = '', apiSecret = '', token },
) => {
  const query = method === 'GET' ? queryOf(params) : '';
  const isSent = method !== 'GET' && Object.keys(params).length > 0;
  const request = {
    method,
    url: `${baseUrl}${path}${query && `?${query}`}`,
    body: isSent ? JSON.stringify(params) : undefined,
  };
  const seconds = Math.floor(nonce / 1000);
  const bearer = (value: string): HttpRequest => ({
    ...request,
    headers: { Authorization: `Bearer ${value}`, ...FIXED },
  });
  if (token !== undefined) return bearer(token);
  const call = { apiKey, seconds, uri: `${method} ${new URL(baseUrl).host}${path}` };
  if (apiSecret.startsWith('-----BEGIN')) return bearer(tokenByEcKey(createPrivateKey(apiSecret), call));
  if (apiSecret.endsWith('=')) return bearer(tokenByEd25519Key(ed25519KeyOf(apiSecret), call));
  // Under `/api/v3`, an older key does not sign the query.
  const signedQuery = query !== '' && !path.startsWith('/api/v3') ? `?${query}` : '';
  const text = `${seconds}${method}${path}${signedQuery}${request.body ?? ''}`;
  return {
    ...request,
    headers: {
      'CB-ACCESS-KEY': apiKey,
      'CB-ACCESS-SIGN': createHmac('sha256', apiSecret).update(text).digest('hex'),
      'CB-ACCESS-TIMESTAMP': String(seconds),
      ...FIXED,
    },
  };
};

interface SignedCall {
  readonly apiKey: string;
  readonly seconds: number;
  /** The method, a space, and the host with the path. */
  readonly uri: string;
}

function tokenByEcKey(key: KeyObject, { apiKey, seconds, uri }: SignedCall): string {
  const claims = { iss: 'coinbase-cloud', aud: ['retail_rest_api_proxy'], ...claimsOf(apiKey, seconds), uri };
  return tokenOf('ES256', { apiKey, claims }, (text) => sign('sha256', text, { key, dsaEncoding: 'ieee-p1363' }));
}

/** docs.cdp.coinbase.com/api-reference/v2/authentication */
function tokenByEd25519Key(key: KeyObject, { apiKey, seconds, uri }: SignedCall): string {
  const claims = { iss: 'cdp', aud: ['cdp_service'], ...claimsOf(apiKey, seconds), uris: [uri] };
  return tokenOf('EdDSA', { apiKey, claims }, (text) => sign(null, text, key));
}

const claimsOf = (sub: string, seconds: number) => ({ sub, nbf: seconds, iat: seconds, exp: seconds + TOKEN_SECONDS });

function tokenOf(
  alg: string,
  { apiKey: kid, claims }: { apiKey: string; claims: object },
  signatureOf: (text: Buffer) => Buffer,
): string {
  const header = { alg, typ: 'JWT', kid, nonce: randomBytes(16).toString('hex') };
  const text = [header, claims].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.');
  return `${text}.${signatureOf(Buffer.from(text)).toString('base64url')}`;
}

/** The secret is the seed of the key and perhaps its public key, in base64. */
function ed25519KeyOf(secret: string): KeyObject {
  const seed = Buffer.from(secret, 'base64').subarray(0, SEED_BYTES);
  return createPrivateKey({ key: Buffer.concat([ED25519_PKCS8, seed]), format: 'der', type: 'pkcs8' });
}
