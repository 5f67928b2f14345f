import { checkSignature, checkTime, keyOf, PASSPHRASE, signatureOf } from '../rest/authenticate.js';
import { endpointsUnder, type ErrorCodes, type RestProtocol } from '../rest/protocol.js';
import { Refusal } from '../rest/refusal.js';
import { okxInstruments } from '../tickers/okx-instruments.js';
import * as okx from './endpoints.js';
import * as others from './other-accounts.js';

/** Sources: the anchors in www.okx.com/docs-v5/en (January 2026). */

/**
 * OKX: "The request will expire 30 seconds after the timestamp": #overview-websocket-login. The documentation of REST
 * states no number.
 */
const TIMESTAMP_MS = 30_000;
const ISO_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/**
 * Docs: #error-code-rest-api. Two codes are our own choice, because they are not documented: 58999 for a repeated
 * `clientId` (not a code of the list), and 51022 ("Contract suspended.") for a suspended pair.
 */
const errors: ErrorCodes = {
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
  pair_closed: ['51022'],
  too_many_orders: ['51102'],
  order_volume: ['51121'],
  order_price: ['51150'],
  order_unknown: ['51603'],
  network_unknown: ['58010'],
  withdrawals_closed: ['58010'],
  above_maximum: ['58205'],
  below_minimum: ['58206'],
  address_not_saved: ['58207'],
  tag_missing: ['58221'],
  address_invalid: ['58222'],
  insufficient_funds_for_fee: ['58229'],
  deposits_closed: ['58303'],
  insufficient_funds: ['58350'],
  reference_repeated: ['58999'],
};

type Body = { code: string; data: { [field: string]: unknown; sCode?: string }[] };

const { get, withdraw, trade } = endpointsUnder('/api/v5');

/** The part of OKX's REST API v5 that Causeway uses. */
export const okxProtocol: RestProtocol = {
  id: 'okx',
  endpoints: {
    account: get('account/config', okx.accountConfig),
    'trading.balances': get('account/balance', okx.tradingBalances),
    balances: get('asset/balances', okx.balances),
    'savings.balances': get('finance/savings/balance', others.savings),
    'staking.balances': get('finance/staking-defi/orders-active', others.staking),
    valuation: get('asset/asset-valuation', others.valuation),
    'sub.accounts': get('users/subaccount/list', others.subAccounts),
    'sub.balances': get('asset/subaccount/balances', others.subFunding),
    'sub.trading.balances': get('account/subaccount/balances', others.subTrading),
    currencies: get('asset/currencies', okx.currencies),
    'deposit.addresses': get('asset/deposit-address', okx.depositAddresses, 'addresses'),
    withdrawals: get('asset/withdrawal-history', okx.withdrawals, 'transfers'),
    deposits: get('asset/deposit-history', okx.deposits, 'transfers'),
    bills: get('asset/bills', okx.fundingBills),
    order: get('trade/order', okx.order, 'orders'),
    withdraw: withdraw('asset/withdrawal', okx.withdrawal),
    'order.place': trade('trade/order', okx.placeOrder),
  },
  lists: { instruments: { path: '/api/v5/public/instruments', content: okxInstruments } },
  keyHeader: 'ok-access-key',
  headerParams: { expTime: 'exptime' },
  bodies: 'json',
  errors,
  errorStatus: 200,
  nothing: [],
  success: (data) => ({ code: '0', msg: '', data }),
  failure: (code, msg, { endpoint, params } = { endpoint: '', params: {} }) => {
    if (endpoint !== 'order.place' || code.startsWith('501')) return { code, msg, data: [] };
    // OKX: "It is sCode and sMsg that represent the request result": #order-book-trading-trade-post-place-order
    const entry = { clOrdId: params['clOrdId'] ?? '', ordId: '', tag: '', sCode: code, sMsg: msg };
    return { code: '1', msg: 'All operations failed', data: [entry] };
  },
  errorIn: (body) => {
    const { code, data } = body as Body;
    return code === '0' ? null : (data[0]?.sCode ?? code);
  },
  contentOf: (body) => (body as Body).data,
  fields: {
    amount: 'amt',
    fee: 'fee',
    address: 'addr',
    tags: ['tag', 'memo', 'addrEx'],
    openedAt: 'cTime',
    timeOf: ({ ts }) => Number(ts),
  },
  /** Docs: #overview-rest-authentication-signature. */
  authenticate: (exchange, { method, target, rawBody, ip, header }, now) => {
    const key = keyOf(exchange, { apiKey: header('ok-access-key'), ip }, now);
    const timestamp = header('ok-access-timestamp');
    const at = ISO_TIME.test(timestamp) ? Date.parse(timestamp) : Number.NaN;
    checkTime(at, now, { oldMs: TIMESTAMP_MS, aheadMs: TIMESTAMP_MS });
    if (header('ok-access-passphrase') !== PASSPHRASE) throw new Refusal('passphrase_wrong');
    checkSignature(header('ok-access-sign'), signatureOf(key, timestamp + method + target + rawBody, 'base64'));
    return key;
  },
};
