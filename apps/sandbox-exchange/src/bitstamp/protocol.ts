import { checkSignature, checkTime, keyOf, signatureOf } from '../rest/authenticate.js';
import { endpointsUnder, type ErrorCodes, type RestProtocol } from '../rest/protocol.js';
import { Refusal } from '../rest/refusal.js';
import { currencies } from './currencies.js';
import * as bitstamp from './endpoints.js';

/** Source: www.bitstamp.net/api, "Authentication", "Possible authentication errors", "Response codes" */

/** A request is refused when its "timestamp is more than 150 seconds from current server time". */
const TIMESTAMP_MS = 150_000;

const errors: ErrorCodes = {
  key_unknown: ['API0001', 403],
  key_revoked: ['API0001', 403],
  ip_not_allowed: ['API0002', 403],
  permission_missing: ['API0003', 403],
  signature_wrong: ['API0005', 403],
  timestamp_invalid: ['API0017', 403],
  timestamp_expired: ['API0017', 403],
  rate_limited: ['400.002'],
  unavailable: ['500.001', 503],
  system_error: ['500.001', 500],
  parameter_invalid: ['400.001'],
  network_unknown: ['404.006', 404],
  pair_unknown: ['404.003', 404],
  pair_closed: ['400.003'],
  order_unknown: ['404.002', 404],
  order_funds: ['400.009'],
  order_minimum: ['400.020'],
  order_id_repeated: ['400.019'],
};

type Failure = { code?: string };

const { read, trade } = endpointsUnder('/api/v2');
const { placeOrder } = bitstamp;

/** The part of Bitstamp's API that Causeway uses. The nonces are not checked. */
export const bitstampProtocol: RestProtocol = {
  id: 'bitstamp',
  endpoints: {
    balances: read('account_balances/', bitstamp.balances),
    withdrawals: read('withdrawal-requests/', bitstamp.withdrawals, 'transfers'),
    deposits: read('crypto-transactions/', bitstamp.deposits, 'transfers'),
    'deposit.address': read(':currency(^[a-z0-9]+)_address/', bitstamp.depositAddress, 'addresses'),
    order: read('order_status/', bitstamp.order, 'orders'),
    'order.buy': trade('buy/:market/', placeOrder('buy', 'limit')),
    'order.sell': trade('sell/:market/', placeOrder('sell', 'limit')),
    'order.buy.market': trade('buy/market/:market/', placeOrder('buy', 'market')),
    'order.sell.market': trade('sell/market/:market/', placeOrder('sell', 'market')),
  },
  lists: { currencies: { path: '/api/v2/currencies/', content: currencies } },
  keyHeader: 'x-auth',
  bodies: 'form',
  errors,
  errorStatus: 400,
  nothing: {},
  success: (content) => content,
  failure: (code, reason) => ({ status: 'error', reason, code }),
  errorIn: (body) => (body as Failure).code ?? null,
  contentOf: (body) => body,
  fields: {
    amount: 'amount',
    fee: 'fee',
    address: 'address',
    tags: ['destination_tag', 'memo_id'],
    openedAt: 'datetime',
    timeOf: ({ datetime }) => timeOf(datetime),
  },
  authenticate: (exchange, { method, target, rawBody, ip, header }, now) => {
    const auth = header('x-auth');
    const [word, apiKey = ''] = auth.split(' ');
    if (word !== 'BITSTAMP') throw new Refusal('key_unknown');
    const key = keyOf(exchange, { apiKey, ip }, now);
    const timestamp = header('x-auth-timestamp');
    checkTime(Number(timestamp), now, { oldMs: TIMESTAMP_MS, aheadMs: TIMESTAMP_MS });
    const parts = [header('content-type'), header('x-auth-nonce'), timestamp, header('x-auth-version'), rawBody];
    const text = [auth, method, header('host'), target, ...parts].join('');
    checkSignature(header('x-auth-signature'), signatureOf(key, text, 'hex'));
    return key;
  },
};

/** `datetime` is in seconds in deposits, and a text in UTC in withdrawals. */
const timeOf = (datetime: unknown): number =>
  typeof datetime === 'number' ? datetime * 1000 : Date.parse(`${String(datetime)}Z`);
