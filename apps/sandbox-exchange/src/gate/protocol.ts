import { createHash } from 'node:crypto';
import { checkSignature, checkTime, keyOf, queryOf, signatureOf } from '../rest/authenticate.js';
import { endpointsUnder, type ErrorCodes, type RestProtocol } from '../rest/protocol.js';
import * as gate from './endpoints.js';
import * as others from './other-accounts.js';
import { gateLists } from './lists.js';

/** Sources: www.gate.com/docs/developers/apiv4 (June 2026) */

/** Docs: #api-signature-string-generation. A timestamp must differ from the current time by "less than 60 seconds". */
const TIMESTAMP_MS = 59_999;

/** Docs: #error-handling. */
const errors: ErrorCodes = {
  timestamp_invalid: ['REQUEST_EXPIRED', 403],
  timestamp_expired: ['REQUEST_EXPIRED', 403],
  key_unknown: ['INVALID_KEY', 401],
  key_revoked: ['INVALID_KEY', 401],
  ip_not_allowed: ['IP_FORBIDDEN', 403],
  signature_wrong: ['INVALID_SIGNATURE', 401],
  permission_missing: ['FORBIDDEN', 403],
  rate_limited: ['TOO_MANY_REQUESTS', 429],
  unavailable: ['TOO_BUSY', 503],
  system_error: ['SERVER_ERROR', 500],
  not_opened: ['USER_NOT_FOUND'],
  parameter_invalid: ['INVALID_PARAM_VALUE'],
  pair_unknown: ['INVALID_CURRENCY_PAIR'],
  order_unknown: ['ORDER_NOT_FOUND', 404],
  order_funds: ['BALANCE_NOT_ENOUGH'],
  deadline_past: ['REQUEST_EXPIRED'],
  order_minimum: ['AMOUNT_TOO_LITTLE'],
  order_price: ['INVALID_PRECISION'],
  order_volume: ['INVALID_PRECISION'],
  order_id_repeated: ['REPEATED_CREATION'],
  too_many_orders: ['TOO_MANY_ORDERS'],
};

type Failure = { label?: string };

const { get, trade } = endpointsUnder('/api/v4');

/** The part of Gate's API v4 that Causeway uses. */
export const gateProtocol: RestProtocol = {
  id: 'gate',
  endpoints: {
    account: get('account/detail', gate.keyInfo),
    balances: get('spot/accounts', gate.balances),
    'unified.balances': get('unified/accounts', others.unified),
    'margin.balances': get('margin/accounts', others.margin),
    'futures.balances': get('futures/:settle/accounts', others.futures),
    'earn.balances': get('earn/uni/lends', others.lends),
    'sub.balances': get('wallet/sub_account_balances', others.subBalances),
    'sub.margin.balances': get('wallet/sub_account_margin_balances', others.subOthers),
    'sub.futures.balances': get('wallet/sub_account_futures_balances', others.subOthers),
    'sub.accounts': get('sub_accounts', others.subAccounts),
    totals: get('wallet/total_balance', others.totals),
    'deposit.addresses': get('wallet/deposit_address', gate.depositAddress, 'addresses'),
    withdrawals: get('wallet/withdrawals', gate.withdrawals, 'transfers'),
    deposits: get('wallet/deposits', gate.deposits, 'transfers'),
    order: get('spot/orders/:order_id', gate.order, 'orders'),
    orders: get('spot/orders', gate.orders, 'orders'),
    'order.place': { ...trade('spot/orders', gate.placeOrder), status: 201 },
  },
  lists: gateLists,
  keyHeader: 'key',
  bodies: 'json',
  errors,
  errorStatus: 400,
  nothing: {},
  headerParams: { 'x-gate-exptime': 'x-gate-exptime' },
  success: (content) => content,
  failure: (label, message) => ({ label, message }),
  errorIn: (body) => (body as Failure).label ?? null,
  contentOf: (body) => body,
  fields: {
    amount: 'amount',
    fee: 'fee',
    address: 'address',
    tags: ['payment_id'],
    openedAt: 'create_time_ms',
    timeOf: ({ timestamp }) => Number(timestamp) * 1000,
  },
  /** Docs: #api-signature-string-generation. */
  authenticate: (exchange, request, now) => {
    const { method, target, rawBody, ip, header } = request;
    const key = keyOf(exchange, { apiKey: header('key'), ip }, now);
    const timestamp = header('timestamp');
    checkTime(Number(timestamp) * 1000, now, { oldMs: TIMESTAMP_MS, aheadMs: TIMESTAMP_MS });
    const hashed = createHash('sha512').update(rawBody).digest('hex');
    const text = [method, target.split('?')[0], queryOf(request), hashed, timestamp].join('\n');
    checkSignature(header('sign'), signatureOf(key, text, 'hex', 'sha512'));
    return key;
  },
};
