import { createHmac, createPublicKey, generateKeyPairSync, verify } from 'node:crypto';
import { signCoinbase } from './coinbase-signature.js';

const BASE = 'https://api.coinbase.com';
const SECONDS = 1_750_000_000;
const NAME = 'd2efa49a-369c-43d7-a60e-ae26e28853c2';

const call = (method: 'GET' | 'POST', path: string, params: Record<string, string> = {}) => ({
  baseUrl: BASE,
  method,
  path,
  params,
  nonce: SECONDS * 1_000 + 999,
});
const partOf = (token: string, part: number): unknown =>
  JSON.parse(Buffer.from(token.split('.')[part] ?? '', 'base64url').toString());

/** Coinbase documented the signatures of older keys until 2025: timestamp + method + requestPath + body. */
describe('a call to Coinbase with an older key', () => {
  const secret = 'a-secret/of+before';

  it.each([
    ['a read of v2 with its query', call('GET', '/v2/accounts', { limit: '100' }), 'GET/v2/accounts?limit=100'],
    ['a read of v2 without a query', call('GET', '/v2/user'), 'GET/v2/user'],
    [
      'a read of Advanced Trade without its query',
      call('GET', '/api/v3/brokerage/accounts', { limit: '250' }),
      'GET/api/v3/brokerage/accounts',
    ],
    ['a request with its body', call('POST', '/v2/accounts', { name: 'a' }), 'POST/v2/accounts{"name":"a"}'],
  ])('signs %s', (_what, unsigned, text) => {
    const { url, headers } = signCoinbase(unsigned, { apiKey: 'aB3dE5', apiSecret: secret });
    expect(headers).toMatchObject({
      'CB-ACCESS-KEY': 'aB3dE5',
      'CB-ACCESS-TIMESTAMP': String(SECONDS),
      'CB-ACCESS-SIGN': createHmac('sha256', secret).update(`${SECONDS}${text}`).digest('hex'),
    });
    const query = unsigned.method === 'GET' ? new URLSearchParams(unsigned.params).toString() : '';
    expect(url).toBe(`${BASE}${unsigned.path}${query && `?${query}`}`);
  });
});

/** docs.cdp.coinbase.com/coinbase-app/authentication-authorization/api-key-authentication */
describe('a call to Coinbase with an Ed25519 key', () => {
  it('has a token of two minutes for the method, the host and the path, which the key has signed', () => {
    const { privateKey } = generateKeyPairSync('ed25519');
    const seed = privateKey.export({ format: 'der', type: 'pkcs8' }).subarray(-32);
    const apiSecret = Buffer.concat([seed, seed]).toString('base64');
    const { headers } = signCoinbase(call('GET', '/v2/accounts', { limit: '100' }), { apiKey: NAME, apiSecret });
    const token = headers?.['Authorization']?.replace('Bearer ', '') ?? '';
    expect(partOf(token, 0)).toMatchObject({ alg: 'EdDSA', typ: 'JWT', kid: NAME });
    expect(partOf(token, 1)).toEqual({
      iss: 'cdp',
      aud: ['cdp_service'],
      sub: NAME,
      nbf: SECONDS,
      iat: SECONDS,
      exp: SECONDS + 120,
      uris: ['GET api.coinbase.com/v2/accounts'],
    });
    const [signed, signature] = [token.slice(0, token.lastIndexOf('.')), token.slice(token.lastIndexOf('.') + 1)];
    const isSigned = verify(
      null,
      Buffer.from(signed),
      createPublicKey(privateKey),
      Buffer.from(signature, 'base64url'),
    );
    expect(isSigned).toBe(true);
  });
});

describe('a call to Coinbase with an access token', () => {
  it('has the token and no signature', () => {
    const { headers } = signCoinbase(call('GET', '/v2/accounts'), { token: 'visible-token' });
    expect(headers?.['Authorization']).toBe('Bearer visible-token');
    expect(Object.keys(headers ?? {}).filter((name) => name.startsWith('CB-ACCESS'))).toEqual([]);
  });
});
