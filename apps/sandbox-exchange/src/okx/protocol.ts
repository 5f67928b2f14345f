import type { Reply } from '../faults/protocol.js';
import { checkSignature, keyOf } from '../rest/authenticate.js';
import { restFaults } from '../rest/faults.js';
import { Refusal, type Reason } from '../rest/refusal.js';
import type { RestProtocol } from '../rest/routes.js';
import * as okx from './endpoints.js';

/** Sources: the anchors in www.okx.com/docs-v5/en (January 2026). */

/** The passphrase of every key. */
const PASSPHRASE = 'sandbox';
/** "The request will expire 30 seconds after the timestamp": #overview-websocket-login. REST names no number. */
const TIMESTAMP_MS = 30_000;

/** #error-code-rest-api: code and HTTP status. */
const errors: Readonly<Record<Reason, readonly [code: string, status?: number]>> = {
  unavailable: ['50001', 503],
  rate_limited: ['50011', 429],
  system_error: ['50026', 500],
  deadline_past: ['50036'],
  deadline_elapsed: ['50037'],
  timestamp_expired: ['50102', 401],
  passphrase_wrong: ['50105', 401],
  ip_not_allowed: ['50110', 401],
  key_unknown: ['50111', 401],
  timestamp_invalid: ['50112', 401],
  signature_wrong: ['50113', 401],
  key_revoked: ['50119'],
  permission_missing: ['50120'],
  parameter_invalid: ['51000', 400],
  pair_unknown: ['51001'],
  order_funds: ['51008_1000'],
  order_id_repeated: ['51016'],
  order_minimum: ['51020'],
  // "Contract suspended." How an order in a suspended pair is refused is not documented.
  pair_closed: ['51022'],
  too_many_orders: ['51102'],
  order_volume: ['51121'],
  order_price: ['51150'],
  order_unknown: ['51603'],
  network_unknown: ['58010'],
  above_maximum: ['58205'],
  below_minimum: ['58206'],
  address_not_saved: ['58207'],
  tag_missing: ['58221'],
  address_invalid: ['58222'],
  insufficient_funds_for_fee: ['58229'],
  deposits_closed: ['58303'],
  insufficient_funds: ['58350'],
  // How a repeated `clientId` is refused is not documented; this code is not in the list of errors.
  reference_repeated: ['58999'],
};

const ok = (data: unknown): Reply => ({ status: 200, body: { code: '0', msg: '', data } });
const refused = (code: string, msg: string, status = 200): Reply => ({ status, body: { code, msg, data: [] } });

type Body = { code: string; data: { [field: string]: unknown; sCode?: string }[] };

const get = (path: string, handler: (typeof okx)[keyof typeof okx]) =>
  ({ method: 'GET', path: `/api/v5/${path}`, needs: 'query-funds', handler }) as const;

/** The part of OKX's REST API v5 that Causeway uses. */
export const okxProtocol: RestProtocol = {
  endpoints: {
    'okx.account': get('account/config', okx.accountConfig),
    'okx.trading.balances': get('account/balance', okx.tradingBalances),
    'okx.balances': get('asset/balances', okx.balances),
    'okx.currencies': get('asset/currencies', okx.currencies),
    'okx.deposit.addresses': get('asset/deposit-address', okx.depositAddresses),
    'okx.withdrawals': get('asset/withdrawal-history', okx.withdrawals),
    'okx.deposits': get('asset/deposit-history', okx.deposits),
    'okx.order': get('trade/order', okx.order),
    'okx.withdraw': {
      ...{ method: 'POST', path: '/api/v5/asset/withdrawal', needs: 'withdraw-funds', handler: okx.withdrawal },
    },
    'okx.order.place': {
      ...{ method: 'POST', path: '/api/v5/trade/order', needs: 'modify-trades', handler: okx.placeOrder },
    },
  },
  lists: ['okx.withdrawals', 'okx.deposits', 'okx.order'],
  keyHeader: 'ok-access-key',
  headerParams: { expTime: 'exptime' },
  ok,
  refused: ({ reason, message }, endpoint, { clOrdId = '' }) => {
    const [code, status] = errors[reason];
    if (endpoint !== 'okx.order.place' || code.startsWith('501')) return refused(code, message, status);
    // "It is sCode and sMsg that represent the request result": #order-book-trading-trade-post-place-order
    const entry = { clOrdId, ordId: '', tag: '', sCode: code, sMsg: message };
    return { status: status ?? 200, body: { code: '1', msg: 'All operations failed', data: [entry] } };
  },
  /** #overview-rest-authentication-signature */
  authenticate: (exchange, { method, target, rawBody, ip, header }, now) => {
    const key = keyOf(exchange, { apiKey: header('ok-access-key'), ip }, now);
    const timestamp = header('ok-access-timestamp');
    if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(timestamp)) throw new Refusal('timestamp_invalid');
    const isFresh = Math.abs(Date.parse(timestamp) - now.getTime()) <= TIMESTAMP_MS;
    if (!isFresh) throw new Refusal('timestamp_expired');
    if (header('ok-access-passphrase') !== PASSPHRASE) throw new Refusal('passphrase_wrong');
    checkSignature(header('ok-access-sign'), key, timestamp + method + target + rawBody);
    return key;
  },
  faults: restFaults({
    refused: (reason) => refused(errors[reason][0], reason, errors[reason][1]),
    refusedWith: (code) => refused(code, 'a fault'),
    emptied: () => ({ code: '0', msg: '', data: [] }),
    errorIn: (body) => {
      const { code, data } = body as Body;
      return code === '0' ? null : (data[0]?.sCode ?? code);
    },
    mapped: (body, change) => ({ ...(body as Body), data: change((body as Body).data) }),
    fields: {
      ...{ amount: 'amt', fee: 'fee', time: 'ts', openedAt: 'cTime', address: 'addr', tags: ['tag', 'memo', 'addrEx'] },
    },
    addressEndpoint: 'okx.deposit.addresses',
    orderEndpoint: 'okx.order',
  }),
};
