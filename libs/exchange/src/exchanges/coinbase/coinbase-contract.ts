import { createPublicKey, generateKeyPairSync, verify } from 'node:crypto';
import { Secret } from '#platform/crypto';
import type { ExchangeCredentials } from '../../port/exchange.port.js';
import {
  json,
  type DocumentedRefusal,
  type ExchangeContract,
  type Reply,
} from '../../testing/contract/exchange-contract.js';
import { coinbaseDocumented } from '../../testing/coinbase-documentation.js';
import type { ReceivedCall } from '../../testing/stub-exchange.js';

/** Coinbase by its documentation, for keys of the developer platform: https://docs.cdp.coinbase.com/coinbase-app */

const ACCOUNTS = 'GET /api/v3/brokerage/accounts';
const KEY_PERMISSIONS = 'GET /api/v3/brokerage/key_permissions';

function credentials(id: string): ExchangeCredentials {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const pem = privateKey.export({ type: 'sec1', format: 'pem' }).toString();
  return { apiKey: new Secret(`organizations/${id}/apiKeys/${id}`), apiSecret: new Secret(pem) };
}

interface Claims {
  readonly sub?: string;
  readonly nbf?: number;
  readonly exp?: number;
  readonly uri?: string;
}

function partsOf({ headers }: ReceivedCall): { header: { kid?: string; alg?: string }; claims: Claims; token: string } {
  const token = headers.authorization?.replace(/^Bearer /, '') ?? '';
  const read = (part: string | undefined): object => {
    try {
      return JSON.parse(Buffer.from(part ?? '', 'base64url').toString()) as object;
    } catch {
      return {};
    }
  };
  const [header, claims] = token.split('.');
  return { header: read(header), claims: read(claims), token };
}

/**
 * A JSON web token for each request, signed with ES256: the name of the key in `sub` and `kid`, valid for two minutes,
 * with method, host and path in `uri`.
 * https://docs.cdp.coinbase.com/coinbase-app/authentication-authorization/api-key-authentication
 */
function problemOf(call: ReceivedCall, { apiKey, apiSecret }: ExchangeCredentials): string | null {
  const { header, claims, token } = partsOf(call);
  const [signed, signature] = [token.slice(0, token.lastIndexOf('.')), token.slice(token.lastIndexOf('.') + 1)];
  const key = createPublicKey(apiSecret?.reveal() ?? '');
  const options = { key, dsaEncoding: 'ieee-p1363' } as const;
  if (header.alg !== 'ES256') return 'the token is not signed with ES256';
  if (!verify('SHA256', Buffer.from(signed), options, Buffer.from(signature, 'base64url'))) return 'a wrong signature';
  if (claims.sub !== apiKey.reveal()) return 'the token is for another key';
  const { nbf = 0, exp = 0 } = claims;
  if (exp - nbf > 120 || exp * 1000 < Date.now()) return 'the token is valid for another time';
  const [method, path] = call.route.split(' ');
  // ccxt leaves the scheme of addresses that are not https.
  const uri = claims.uri?.replace('http://', '');
  return uri === `${method} ${call.headers.host}${path}` ? null : `the token is for ${uri}`;
}

type Row = readonly [status: number, code: string, meaning: Omit<DocumentedRefusal, 'reply' | 'name'>];

const refused = (reason?: string): Row[2] => ({ grade: 'refused', reason });
const kyc: Row[2] = { grade: 'refused', code: 'WITHDRAWAL_KYC_REQUIRED' };
const unknown: Row[2] = { grade: 'unknown' };

/** https://docs.cdp.coinbase.com/coinbase-app/api-architecture/error-messages */
const v2: Row[] = [
  [402, 'unverified_email', { grade: 'refused', code: 'WITHDRAWAL_EMAIL_UNVERIFIED' }],
  [400, 'param_required', refused('invalid_arguments')],
  [400, 'validation_error', refused('invalid_arguments')],
  [400, 'invalid_request', refused('invalid_arguments')],
  [400, 'personal_details_required', kyc],
  [400, 'identity_verification_required', kyc],
  [400, 'jumio_verification_required', kyc],
  [400, 'jumio_face_match_verification_required', kyc],
  [401, 'authentication_error', unknown],
  [401, 'invalid_token', { grade: 'credentials' }],
  [401, 'revoked_token', { grade: 'credentials', reason: 'revoked' }],
  [401, 'expired_token', { grade: 'credentials', reason: 'token_expired' }],
  [403, 'invalid_scope', { grade: 'permission' }],
  [404, 'not_found', refused('not_found')],
  [429, 'rate_limit_exceeded', { grade: 'pause' }],
  [500, 'internal_server_error', unknown],
];

/** Advanced Trade: https://docs.cdp.coinbase.com/api-reference/advanced-trade-api/rest-api, and gRPC’s codes. */
const v3: Row[] = [
  [400, 'INVALID_ARGUMENT', refused('invalid_arguments')],
  [401, 'unauthorized', unknown],
  [401, 'UNAUTHENTICATED', unknown],
  [403, 'PERMISSION_DENIED', { grade: 'permission' }],
  [429, 'rate_limit_exceeded', { grade: 'pause' }],
  [500, 'INTERNAL', unknown],
  [500, 'UNKNOWN', unknown],
  [503, 'UNAVAILABLE', unknown],
  [504, 'DEADLINE_EXCEEDED', unknown],
  // A failing gateway may send the body of another response.
  [502, 'PERMISSION_DENIED', unknown],
];
const inV2 = (status: number, id: string): Reply => json({ errors: [{ id, message: 'a refusal' }] }, status);
const inV3 = (status: number, error: string): Reply => json({ error, code: 7, message: 'a refusal' }, status);

const { accounts, keyPermissions } = coinbaseDocumented;
const nothing = { ipAllowlist: [], validUntil: null, lastUsed: null, createdTime: null, modifiedTime: null };
const [lastAccount] = accounts.second.accounts;

export const coinbaseContract: ExchangeContract = {
  credentials: [credentials('first'), credentials('second')],
  signature: { keyOf: (call) => partsOf(call).header.kid ?? null, check: () => problemOf },
  calls: {
    [ACCOUNTS]: {
      parameters: { limit: 'integer?', cursor: 'text?' },
      answer: ({ params }) => {
        if (params['cursor'] === undefined) return json(accounts.first);
        return params['cursor'] === accounts.first.cursor ? json(accounts.second) : inV3(400, 'INVALID_ARGUMENT');
      },
    },
    [KEY_PERMISSIONS]: { parameters: {}, answer: json(keyPermissions) },
  },
  refusals: [
    ...v2.map(([status, id, meaning]) => ({ name: `${status} ${id}`, reply: inV2(status, id), ...meaning })),
    ...v3.map(([status, id, meaning]) => ({ name: `v3: ${status} ${id}`, reply: inV3(status, id), ...meaning })),
  ],
  unlisted: [
    inV2(400, 'never_seen'),
    inV2(401, 'never_seen'),
    inV3(403, 'NEVER_SEEN'),
    inV2(402, 'two_factor_required'),
  ],
  repeatsAreRefusedFirst: null,
  balances: {
    expected: [
      { asset: 'BTC', free: '1.230000000000000001', used: '2.1', total: '3.330000000000000001' },
      { asset: 'CELO', free: '7', used: '0', total: '7' },
      { asset: 'EUR', free: '100.25', used: '0', total: '100.25' },
    ],
    unreadable: {
      [ACCOUNTS]: json({ ...accounts.second, accounts: [{ ...lastAccount, available_balance: { value: 'much' } }] }),
    },
  },
  keyInfo: {
    route: KEY_PERMISSIONS,
    expected: { permissions: ['view', 'transfer'], ...nothing },
    least: {
      reply: json({ can_view: false, can_trade: false, can_transfer: false }),
      expected: { permissions: [], ...nothing },
    },
  },
};
