import { checkSignature, checkTime, keyOf, queryOf, signatureOf } from '../rest/authenticate.js';
import { endpointsUnder, type ErrorCodes, type RestProtocol } from '../rest/protocol.js';
import { bybitInstruments } from '../tickers/bybit-instruments.js';
import * as bybit from './endpoints.js';
import * as others from './other-accounts.js';

/** Sources: the pages of bybit-exchange.github.io/docs/v5 (July 2026). */

const NOT_EQUAL = 'Withdraw address chain or destination tag are not equal';

/**
 * Docs: error. All errors come with HTTP 200. Two codes are our choice, because Bybit documents none: 10014 for a
 * repeated `requestId`, and 10006 ("Exceeded the API Rate Limit") for a second withdrawal within ten seconds.
 */
const errors: ErrorCodes = {
  parameter_invalid: ['10001'],
  timestamp_invalid: ['10002'],
  timestamp_expired: ['10002'],
  key_unknown: ['10003'],
  key_revoked: ['10003'],
  signature_wrong: ['10004'],
  permission_missing: ['10005'],
  rate_limited: ['10006'],
  ip_not_allowed: ['10010'],
  reference_repeated: ['10014'],
  unavailable: ['10016'],
  system_error: ['131001'],
  period_too_long: ['131002'],
  network_unknown: ['131002'],
  tag_missing: ['131002', NOT_EQUAL],
  address_invalid: ['131002', NOT_EQUAL],
  address_not_saved: ['131083'],
  below_minimum: ['131096'],
  above_maximum: ['131096'],
  withdrawals_closed: ['131097'],
  amount_precision: ['131210'],
  insufficient_funds: ['131212'],
  insufficient_funds_for_fee: ['131212'],
  pair_unknown: ['170121'],
  order_funds: ['170131'],
  order_price: ['170134'],
  order_minimum: ['170140'],
  order_volume: ['170137'],
  order_id_repeated: ['170141'],
  pair_closed: ['170151'],
  too_many_orders: ['170810'],
};

type Body = { retCode: number; result: unknown };

const bodyOf = (retCode: number, retMsg: string, result: unknown): unknown => ({
  retCode,
  retMsg,
  result,
  retExtInfo: {},
  time: Date.now(),
});

const { get, withdraw, trade } = endpointsUnder('/v5');

/** The part of Bybit's API v5 that Causeway uses. */
export const bybitProtocol: RestProtocol = {
  id: 'bybit',
  endpoints: {
    account: get('user/query-api', bybit.keyInfo),
    balances: get('asset/transfer/query-account-coins-balance', bybit.balances),
    'trading.balances': get('account/wallet-balance', bybit.unifiedBalance),
    overview: get('asset/asset-overview', others.overview),
    'earn.balances': get('earn/position', others.positions),
    // Bybit: "The API key must have one of the below permissions": transfers, withdrawals
    'sub.accounts': { ...get('user/query-sub-members', others.subMembers), needs: 'withdraw-funds' },
    currencies: get('asset/coin/query-info', bybit.coins),
    'deposit.addresses': get('asset/deposit/query-address', bybit.depositAddresses, 'addresses'),
    // Bybit: "The API key for querying this endpoint must have withdrawal permissions."
    'saved.addresses': { ...get('asset/withdraw/query-address', bybit.savedAddresses), needs: 'withdraw-funds' },
    withdrawals: get('asset/withdraw/query-record', bybit.withdrawals, 'transfers'),
    deposits: get('asset/deposit/query-record', bybit.deposits, 'transfers'),
    'funding.history': get('asset/fundinghistory', bybit.fundingHistory),
    order: get('order/realtime', bybit.ordersThat('open'), 'orders'),
    'order.history': get('order/history', bybit.ordersThat('ended'), 'orders'),
    withdraw: withdraw('asset/withdraw/create', bybit.withdrawal),
    'order.place': trade('order/create', bybit.placeOrder),
  },
  lists: { instruments: bybitInstruments },
  keyHeader: 'x-bapi-api-key',
  bodies: 'json',
  errors,
  errorStatus: 200,
  nothing: {},
  noOrder: { list: [] },
  success: (result) => bodyOf(0, 'OK', result),
  failure: (code, message) => bodyOf(Number(code), message, {}),
  errorIn: (body) => ((body as Body).retCode === 0 ? null : String((body as Body).retCode)),
  contentOf: (body) => (body as Body).result,
  fields: {
    amount: 'amount',
    fee: 'withdrawFee',
    address: 'addressDeposit',
    tags: ['tagDeposit'],
    openedAt: 'createdTime',
    timeOf: ({ createTime, successAt }) => Number(createTime ?? successAt),
  },
  /** Docs: guide#authentication: "server_time - recv_window <= timestamp < server_time + 1000" */
  authenticate: (exchange, request, now) => {
    const { method, rawBody, ip, header } = request;
    const apiKey = header('x-bapi-api-key');
    const key = keyOf(exchange, { apiKey, ip }, now);
    const [timestamp, window] = [header('x-bapi-timestamp'), header('x-bapi-recv-window')];
    checkTime(Number(timestamp), now, { oldMs: Number(window === '' ? 5000 : window), aheadMs: 999 });
    const text = timestamp + apiKey + window + (method === 'GET' ? queryOf(request) : rawBody);
    checkSignature(header('x-bapi-sign'), signatureOf(key, text, 'hex'));
    return key;
  },
};
