import { endpointsUnder, type ErrorCodes, type RestProtocol } from '../rest/protocol.js';
import { authenticate } from './authenticate.js';
import * as others from './other-accounts.js';
import * as bitget from './unified-endpoints.js';

/** Sources: the pages of www.bitget.com/api-doc/uta (December 2025). */

/**
 * Docs: uta/error-code/restapi. The page lacks 40084, 40014, 40012 and 40018. TraderAlice/OpenAlice recorded 40084 with
 * this message, and msei99/pbgui recorded 40014. We chose 40012 and 40018, which are codes of v2.
 */
const errors: ErrorCodes = {
  timestamp_invalid: ['40008', 400],
  timestamp_expired: ['40008', 400],
  key_unknown: ['40006', 400],
  key_revoked: ['40006', 400],
  signature_wrong: ['40009', 400],
  passphrase_wrong: ['40012', 400],
  permission_missing: ['40014', 400],
  ip_not_allowed: ['40018', 400],
  rate_limited: ['429', 429],
  unavailable: ['40725', 503],
  system_error: ['25000', 500],
  parameter_invalid: ['25200', 400],
  insufficient_funds: ['25202'],
  pair_unknown: ['25100'],
  pair_closed: ['25101'],
  order_funds: ['25202'],
  order_minimum: ['25611'],
  order_price: ['25244'],
  order_volume: ['25207'],
  order_id_repeated: ['25212'],
  too_many_orders: ['25211'],
  order_unknown: ['25204'],
  account_classic: [
    '40084',
    'You are in Classic Account mode, and the Unified Account API is not supported at this time',
  ],
};

type Body = { code: string; data?: unknown };

const { get, trade } = endpointsUnder('/api/v3');

/** The part of Bitget's API v3, for unified accounts, that Causeway uses. */
export const bitgetUnifiedProtocol: RestProtocol = {
  id: 'bitget-unified',
  endpoints: {
    account: get('account/info', bitget.keyInfo),
    balances: get('account/assets', bitget.balances),
    'funding.balances': get('account/funding-assets', bitget.fundingBalances),
    'sub.balances': get('account/sub-unified-assets', others.subUnifiedAssets),
    'sub.accounts': get('user/sub-list', others.subUnifiedAccounts),
    'deposit.address': get('account/deposit-address', bitget.depositAddress, 'addresses'),
    withdrawals: get('account/withdrawal-records', bitget.withdrawals, 'transfers'),
    deposits: get('account/deposit-records', bitget.deposits, 'transfers'),
    order: get('trade/order-info', bitget.order, 'orders'),
    orders: get('trade/history-orders', bitget.endedOrders, 'orders'),
    'order.place': trade('trade/place-order', bitget.placeOrder),
  },
  keyHeader: 'access-key',
  bodies: 'json',
  errors,
  errorStatus: 400,
  nothing: null,
  success: (data) => ({ code: '00000', msg: 'success', requestTime: Date.now(), data }),
  failure: (code, msg) => ({ code, msg, requestTime: Date.now(), data: null }),
  errorIn: (body) => ((body as Body).code === '00000' ? null : (body as Body).code),
  contentOf: (body) => (body as Body).data,
  fields: {
    amount: 'size',
    fee: 'fee',
    address: 'address',
    tags: ['tag'],
    openedAt: 'createdTime',
    timeOf: ({ createdTime }) => Number(createdTime),
  },
  authenticate: authenticate('unified'),
};
