import type { ExchangeErrorKind } from '../../port/exchange-error.js';
import type { Reply } from './exchange-contract.js';

/** What a failure of a read means for its caller. */
export type FailureName =
  | 'location_blocked'
  | 'address_blocked'
  | 'firewall'
  | 'maintenance'
  | 'banned'
  | 'ip_not_allowed'
  | 'key_expired'
  | 'permission_missing'
  | 'country_not_served';

export interface ExpectedFailure {
  readonly kind: ExchangeErrorKind;
  readonly reason?: string;
  /** The outcome of the call in `causeway_exchange_request_seconds`. */
  readonly outcome: string;
}

/** The error and the outcome in the metric that each failure must have at every exchange. */
export const expectedFailures: Readonly<Record<FailureName, ExpectedFailure>> = {
  location_blocked: { kind: 'access_blocked', reason: 'location_blocked', outcome: 'location_blocked' },
  address_blocked: { kind: 'access_blocked', reason: 'address_blocked', outcome: 'address_blocked' },
  firewall: { kind: 'unavailable', reason: 'firewall', outcome: 'firewall' },
  maintenance: { kind: 'unavailable', reason: 'maintenance', outcome: 'maintenance' },
  banned: { kind: 'rate_limited', reason: 'banned', outcome: 'banned' },
  ip_not_allowed: { kind: 'ip_not_allowed', outcome: 'ip_not_allowed' },
  key_expired: { kind: 'credentials_invalid', reason: 'expired', outcome: 'key_expired' },
  permission_missing: { kind: 'permission_missing', outcome: 'permission_missing' },
  country_not_served: { kind: 'refused', reason: 'country_not_served', outcome: 'refused' },
};

/** A response as the exchange, or the network before it, documents it. */
export interface DocumentedFailure {
  readonly name: FailureName;
  readonly reply: Reply;
  /** For a ban: the milliseconds until its end. */
  readonly retryAfterMs?: number;
}

const HTML = { 'content-type': 'text/html' };
const page = (name: FailureName, status: number, body: string): DocumentedFailure => ({
  name,
  reply: { status, body: `<html><body>${body}</body></html>`, headers: HTML },
});

/**
 * Pages of the networks before exchanges. Amazon CloudFront, "HTTP 403 status code"; Cloudflare, "Cloudflare 1xxx
 * errors"; RFC 7725 for 451.
 */
const ofNetworks: readonly DocumentedFailure[] = [
  // Recorded in github.com/sammchardy/python-binance/issues/1413 and github.com/hummingbot/deploy/issues/28.
  page(
    'location_blocked',
    403,
    '<H1>403 ERROR</H1><H2>The request could not be satisfied.</H2>The Amazon CloudFront distribution is configured to block access from your country.',
  ),
  page(
    'location_blocked',
    403,
    'The owner of this website has banned the country or region your IP address is in (XX) from accessing this website.',
  ),
  { name: 'location_blocked', reply: { status: 403, body: 'error code: 1009' } },
  page('location_blocked', 451, 'Unavailable For Legal Reasons'),
  { name: 'location_blocked', reply: { status: 451, body: '' } },
  page('address_blocked', 403, 'The owner of this website has banned your IP address (203.0.113.1).'),
  { name: 'firewall', reply: { status: 403, body: 'error code: 1020' } },
  page('firewall', 403, '<H2>The request could not be satisfied.</H2>Request blocked.'),
  page('firewall', 403, 'Sorry, you have been blocked. You are unable to access this site.'),
  page('firewall', 403, '<title>Attention Required! | Cloudflare</title>'),
  page('firewall', 403, '<title>Just a moment...</title>Enable JavaScript and cookies to continue'),
  page('firewall', 403, 'Request unsuccessful. Incapsula incident ID: 0-0'),
  page('maintenance', 503, 'Scheduled maintenance. We will be back soon.'),
];

const json = (name: FailureName, status: number, body: object, more: Partial<DocumentedFailure> = {}) => ({
  name,
  reply: { status, body: JSON.stringify(body) },
  ...more,
});
const krakenError = (name: FailureName, error: string, more?: Partial<DocumentedFailure>): DocumentedFailure =>
  json(name, 200, { error: [error] }, more);
const DATE = 'Thu, 26 Nov 2026 12:00:00 GMT';

/** Errors of exchanges by exchange id. The source of each is beside it in the exchange's error map. */
const ofExchanges: Readonly<Record<string, readonly DocumentedFailure[]>> = {
  binance: [
    json('location_blocked', 451, {
      code: 0,
      msg: "Service unavailable from a restricted location according to 'b. Eligibility' in https://www.binance.com/en/terms.",
    }),
    json('maintenance', 400, { code: -10001, msg: 'The system is under maintenance, please try again later.' }),
    json('maintenance', 503, { code: 1, msg: 'System is under maintenance.' }),
    json('country_not_served', 400, {
      code: -10047,
      msg: 'This coin is currently not supported in your location due to local regulations.',
    }),
    json('permission_missing', 401, { code: -2015, msg: 'Invalid API-key, IP, or permissions for action.' }),
    {
      name: 'banned',
      retryAfterMs: 3_600_000,
      reply: {
        status: 418,
        body: `{"code":-1003,"msg":"Way too much request weight used; IP banned until ${Date.parse(DATE) + 3_600_000}. Please use WebSocket Streams for live updates to avoid bans."}`,
        headers: { date: DATE },
      },
    },
  ],
  bitget: [
    json('maintenance', 400, { code: '40200', msg: 'Server upgrade, please try again later' }),
    json('ip_not_allowed', 400, { code: '40018', msg: 'Invalid IP' }),
    json('permission_missing', 400, { code: '40014', msg: 'Incorrect permissions' }),
  ],
  bitstamp: [
    json('ip_not_allowed', 403, { status: 'error', reason: 'IP address not allowed', code: 'API0002' }),
    json('permission_missing', 403, { status: 'error', reason: 'No permission found', code: 'API0003' }),
  ],
  bybit: [
    json('address_blocked', 200, { retCode: 10009, retMsg: 'IP has been banned' }),
    json('location_blocked', 200, {
      retCode: 10009,
      retMsg:
        'Service Restricted: Access is currently unavailable for your region. Please contact our support team for further assistance',
    }),
    json('ip_not_allowed', 200, {
      retCode: 10010,
      retMsg: "Unmatched IP, please check your API key's bound IP addresses.",
    }),
    json('permission_missing', 200, {
      retCode: 10005,
      retMsg: 'Permission denied, please check your API key permissions.',
    }),
    json('key_expired', 200, { retCode: 33004, retMsg: 'Your api key has expired.' }),
    { name: 'banned', reply: { status: 403, body: 'access too frequent' }, retryAfterMs: 600_000 },
  ],
  coinbase: [json('permission_missing', 403, { errors: [{ id: 'invalid_scope', message: 'Invalid scope' }] })],
  gate: [
    json('ip_not_allowed', 403, { label: 'FORBIDDEN', message: 'Request IP not in whitelist: 203.0.113.1' }),
    json('ip_not_allowed', 403, { label: 'IP_FORBIDDEN', message: 'Request IP not in whitelist' }),
    json('permission_missing', 403, { label: 'FORBIDDEN', message: 'Do not have permission to call this API' }),
    json('permission_missing', 403, { label: 'READ_ONLY', message: 'API key is read-only' }),
  ],
  gemini: [
    json('maintenance', 503, { result: 'error', reason: 'Maintenance', message: 'The system is down for maintenance' }),
    json('permission_missing', 403, { result: 'error', reason: 'MissingRole', message: 'a role is missing' }),
  ],
  kraken: [
    krakenError('maintenance', 'EService:Unavailable'),
    krakenError('banned', 'EGeneral:Temporary lockout', { retryAfterMs: 900_000 }),
    krakenError('permission_missing', 'EGeneral:Permission denied'),
    krakenError('country_not_served', 'EAccount:Invalid permissions:DOGE trading restricted for US:NY.'),
  ],
  kucoin: [
    json('location_blocked', 401, {
      code: '400302',
      msg: 'Our services are currently unavailable in the U.S. (current ip: 203.0.113.1 and current area: US)',
    }),
    json('ip_not_allowed', 401, { code: '400006', msg: 'Invalid request IP, the current client IP is: 203.0.113.1.' }),
    json('permission_missing', 403, { code: '400007', msg: 'Access denied, require more permission' }),
    { name: 'banned', reply: { status: 429, body: 'error code: 1015' }, retryAfterMs: 30_000 },
  ],
  okx: [
    json('maintenance', 503, {
      code: '50001',
      msg: 'Service temporarily unavailable. Please try again later.',
      data: [],
    }),
    json('address_blocked', 200, {
      code: '50121',
      msg: "You can't access our services through the IP address (x)",
      data: [],
    }),
    json('ip_not_allowed', 401, {
      code: '50110',
      msg: "Your IP x is not included in your API key's IP whitelist.",
      data: [],
    }),
    json('permission_missing', 200, {
      code: '50120',
      msg: "This API key doesn't have permission to use this function",
      data: [],
    }),
    json('country_not_served', 200, {
      code: '50051',
      msg: 'Due to compliance restrictions in your country or region, you cannot use this feature.',
      data: [],
    }),
  ],
};

/** The documented failures of one exchange. Bans are the last ones, because they stop the calls after them. */
export function documentedFailures(exchange: string): readonly DocumentedFailure[] {
  const all = [...ofNetworks, ...(ofExchanges[exchange] ?? [])];
  return [...all.filter(({ name }) => name !== 'banned'), ...all.filter(({ name }) => name === 'banned')];
}
