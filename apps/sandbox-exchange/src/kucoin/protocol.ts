import { checkSignature, checkTime, keyOf, PASSPHRASE, signatureOf } from '../rest/authenticate.js';
import { endpointsUnder, type ErrorCodes, type RestProtocol } from '../rest/protocol.js';
import { Refusal } from '../rest/refusal.js';
import { kucoinSymbols } from '../tickers/kucoin-symbols.js';
import { currencies } from './currencies.js';
import * as kucoin from './endpoints.js';
import * as others from './other-accounts.js';

/**
 * github.com/Kucoin/kucoin-api-docs, "Timestamp": the difference between a request's timestamp and the exchange's clock
 * "must be less than 5 seconds".
 */
const TIMESTAMP_MS = 4999;

/**
 * Sources: docs/basic-info/errors-code/spot-errors-code, "Gateway error code" of docs-new/error-code/websocket, and
 * ccxt 4.5.84 for the messages. The documentation has no code for a missing tag or an amount above the maximum, so the
 * sandbox sends the code of an invalid parameter.
 */
const errors: ErrorCodes = {
  timestamp_invalid: ['400002', 401],
  timestamp_expired: ['400002', 401],
  key_unknown: ['400003', 401],
  key_revoked: ['400003', 401],
  passphrase_wrong: ['400004', 401],
  signature_wrong: ['400005', 401],
  ip_not_allowed: ['400006'],
  permission_missing: ['400007'],
  key_version: ['400009'],
  parameter_invalid: ['400100'],
  rate_limited: ['429000', 429],
  system_error: ['500000', 500],
  unavailable: ['500000', 503],
  network_unknown: ['900014'],
  address_not_saved: ['260325'],
  below_minimum: ['400100', 'The withdrawal amount is below the minimum requirement.'],
  amount_precision: ['400100', 'The amount increment is invalid.'],
  withdrawals_closed: ['260210'],
  address_invalid: ['400100', 'kucoin incorrect withdrawal address'],
  address_exists: ['260000'],
  insufficient_funds: ['260100'],
  insufficient_funds_for_fee: ['260100'],
  pair_unknown: ['900001'],
  order_funds: ['200004'],
  order_volume: ['600100', 'Order size increment invalid.'],
  pair_closed: ['200001'],
  order_minimum: ['400100', 'Order size below the minimum requirement.'],
  order_id_repeated: ['400100', 'validation.createOrder.clientOidDuplicated'],
  order_unknown: ['400100', 'order not exist.'],
  too_many_orders: ['200003'],
};

type Body = { code: string; data?: unknown };

const { get, withdraw, trade } = endpointsUnder('/api');

/** The part of KuCoin's REST API that Causeway uses. */
export const kucoinProtocol: RestProtocol = {
  id: 'kucoin',
  endpoints: {
    account: get('v1/user/api-key', kucoin.keyInfo),
    balances: get('v1/accounts', kucoin.accounts),
    'unified.balances': get('ua/v1/unified/account/balance', others.unified),
    'account.mode': get('ua/v1/account/mode', others.mode),
    'classic.balances': get('ua/v1/account/balance', others.classic),
    'earn.balances': get('v1/earn/hold-assets', others.earn),
    'sub.balances': get('v2/sub-accounts', others.subAccounts),
    'deposit.addresses': get('v3/deposit-addresses', kucoin.depositAddresses, 'addresses'),
    // KuCoin: "API key permissions: Transfer"
    'deposit.address.create': withdraw('v3/deposit-address/create', kucoin.newAddress),
    withdrawals: get('v1/withdrawals', kucoin.withdrawals, 'transfers'),
    withdrawal: get('v1/withdrawals/:withdrawalId', kucoin.withdrawalById, 'transfers'),
    deposits: get('v1/deposits', kucoin.deposits, 'transfers'),
    order: get('v1/hf/orders/:orderId', kucoin.order, 'orders'),
    'order.own': get('v1/hf/orders/client-order/:clientOid', kucoin.order, 'orders'),
    withdraw: withdraw('v3/withdrawals', kucoin.withdrawal),
    'order.place': trade('v1/hf/orders', kucoin.placeOrder),
  },
  lists: {
    symbols: { path: '/api/v2/symbols', content: kucoinSymbols },
    currencies: { path: '/api/v3/currencies', content: currencies },
  },
  keyHeader: 'kc-api-key',
  bodies: 'json',
  errors,
  errorStatus: 200,
  nothing: null,
  success: (data) => ({ code: '200000', data }),
  failure: (code, msg) => ({ code, msg }),
  errorIn: (body) => ((body as Body).code === '200000' ? null : (body as Body).code),
  contentOf: (body) => (body as Body).data,
  fields: {
    amount: 'amount',
    fee: 'fee',
    address: 'address',
    tags: ['memo'],
    openedAt: 'createdAt',
    timeOf: ({ createdAt }) => Number(createdAt),
  },
  /** Docs: docs-new/authentication. A call with a key of version 3 also signs the passphrase. */
  authenticate: (exchange, { method, target, rawBody, ip, header }, now) => {
    const key = keyOf(exchange, { apiKey: header('kc-api-key'), ip }, now);
    const timestamp = header('kc-api-timestamp');
    checkTime(Number(timestamp), now, { oldMs: TIMESTAMP_MS, aheadMs: TIMESTAMP_MS });
    if (header('kc-api-key-version') !== '3') throw new Refusal('key_version');
    checkSignature(header('kc-api-sign'), signatureOf(key, timestamp + method + target + rawBody, 'base64'));
    const isKnown = header('kc-api-passphrase') === signatureOf(key, PASSPHRASE, 'base64');
    if (!isKnown) throw new Refusal('passphrase_wrong');
    return key;
  },
};
