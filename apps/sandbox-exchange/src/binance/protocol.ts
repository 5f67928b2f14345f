import { checkSignature, checkTime, keyOf, queryOf, signatureOf } from '../rest/authenticate.js';
import { endpointsUnder, type ErrorCodes, type RestProtocol } from '../rest/protocol.js';
import { Refusal } from '../rest/refusal.js';
import { binanceSymbols } from '../tickers/binance-symbols.js';
import * as binance from './endpoints.js';
import * as others from './other-accounts.js';
import * as orders from './orders.js';

/** Sources: the pages of developers.binance.com/docs/wallet (January 2026) and …/binance-spot-api-docs (July 2026). */

const WINDOW_MS = 5000;
const WINDOW_MAX_MS = 60_000;

/**
 * Docs: error-code. -2015 stands for an invalid key, an address that is not allowed, and a missing permission. Binance
 * does not document -2008, which it sends for an id that is no key (github.com/ccxt/ccxt/issues/16616).
 */
const errors: ErrorCodes = {
  system_error: ['-1001', 500],
  rate_limited: ['-1003', 429],
  unavailable: ['-1008', 503],
  timestamp_invalid: ['-1021'],
  timestamp_expired: ['-1021'],
  signature_wrong: ['-1022'],
  not_opened: ['-3003'],
  parameter_invalid: ['-1102'],
  window_too_long: ['-1131'],
  key_unknown: ['-2008'],
  key_revoked: ['-2015', 401],
  ip_not_allowed: ['-2015', 401],
  permission_missing: ['-2015', 401],
  tag_missing: ['-4008'],
  withdrawals_closed: ['-4019'],
  amount_precision: ['-4021'],
  below_minimum: ['-4022'],
  above_maximum: ['-4023'],
  insufficient_funds: ['-4026'],
  insufficient_funds_for_fee: ['-4026'],
  address_invalid: ['-4033'],
  address_not_saved: ['-4035'],
  period_too_long: ['-4047'],
  pair_unknown: ['-1121'],
  order_unknown: ['-2013'],
  pair_closed: ['-2010', 'Market is closed.'],
  order_funds: ['-2010', 'Account has insufficient balance for requested action.'],
  order_id_repeated: ['-2010', 'Duplicate order sent.'],
  order_minimum: ['-1013', 'Filter failure: NOTIONAL'],
  order_price: ['-1013', 'Filter failure: PRICE_FILTER'],
  order_volume: ['-1013', 'Filter failure: LOT_SIZE'],
  too_many_orders: ['-1013', 'Filter failure: MAX_NUM_ORDERS'],
};

const { get, read, withdraw } = endpointsUnder('/sapi');
const spot = endpointsUnder('/api/v3');

/** The part of Binance's wallet and spot APIs that Causeway uses. */
export const binanceProtocol: RestProtocol = {
  id: 'binance',
  endpoints: {
    account: get('v1/account/apiRestrictions', binance.keyInfo),
    balances: read('v3/asset/getUserAsset', binance.balances),
    'funding.balances': read('v1/asset/get-funding-asset', binance.fundingBalances),
    'margin.balances': get('v1/margin/account', others.crossMargin),
    'isolated.balances': get('v1/margin/isolated/account', others.isolatedMargin),
    'earn.balances': get('v1/simple-earn/flexible/position', others.flexible),
    'locked.balances': get('v1/simple-earn/locked/position', others.locked),
    wallets: get('v1/asset/wallet/balance', others.wallets),
    'sub.summary': get('v1/sub-account/spotSummary', others.subSummary),
    'sub.balances': get('v4/sub-account/assets', others.subAssets),
    currencies: get('v1/capital/config/getall', binance.coins),
    'travel.rule': get('v1/localentity/questionnaire-requirements', binance.travelRule),
    'deposit.addresses': get('v1/capital/deposit/address', binance.depositAddress, 'addresses'),
    withdrawals: get('v1/capital/withdraw/history', binance.withdrawals, 'transfers'),
    deposits: get('v1/capital/deposit/hisrec', binance.deposits, 'transfers'),
    withdraw: withdraw('v1/capital/withdraw/apply', binance.withdrawal),
    order: spot.get('order', orders.order, 'orders'),
    'order.trades': spot.get('myTrades', orders.trades),
    'order.place': spot.trade('order', orders.placeOrder),
  },
  lists: { symbols: binanceSymbols },
  keyHeader: 'x-mbx-apikey',
  bodies: 'form',
  errors,
  errorStatus: 400,
  nothing: {},
  // Binance: "A Retry-After header is sent with a 418 or 429 responses"
  limitHeaders: { 'retry-after': '1' },
  success: (content) => content,
  failure: (code, msg) => ({ code: Number(code), msg }),
  errorIn: (body) => {
    const { code } = body as { code?: number };
    return code === undefined ? null : String(code);
  },
  contentOf: (body) => body,
  fields: {
    amount: 'amount',
    fee: 'transactionFee',
    address: 'address',
    tags: ['tag'],
    openedAt: 'time',
    timeOf: ({ applyTime, insertTime }) =>
      typeof applyTime === 'string' ? Date.parse(`${applyTime}Z`) : Number(insertTime),
  },
  /** Docs: general-info, "SIGNED Endpoint security" */
  authenticate: (exchange, request, now) => {
    const { rawBody, ip, header } = request;
    const key = keyOf(exchange, { apiKey: header('x-mbx-apikey'), ip }, now);
    // The signature covers "the query string concatenated without separator to the HTTP body".
    const payload = queryOf(request) + rawBody;
    const given = new URLSearchParams(payload);
    const window = Number(given.get('recvWindow') ?? WINDOW_MS);
    if (!(window <= WINDOW_MAX_MS)) throw new Refusal('window_too_long');
    checkTime(Number(given.get('timestamp') ?? Number.NaN), now, { oldMs: window, aheadMs: 999 });
    const signed = payload.replace(/&?signature=[^&]*$/, '');
    checkSignature(given.get('signature') ?? '', signatureOf(key, signed, 'hex'));
    return key;
  },
};
