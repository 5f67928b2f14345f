import { endpointsUnder, type ErrorCodes, type RestProtocol } from '../rest/protocol.js';
import { authenticate } from './authenticate.js';
import * as bitget from './endpoints.js';
import * as others from './other-accounts.js';
import { bitgetLists } from './lists.js';

/** Sources: the pages of www.bitget.com/api-doc (December 2025). */

/**
 * Docs: spot/error-code/restapi. The page lacks 40085, which was recorded in github.com/ccxt/ccxt/issues/26838 with
 * this message.
 */
const errors: ErrorCodes = {
  timestamp_invalid: ['40005', 400],
  timestamp_expired: ['40008', 400],
  key_unknown: ['40006', 400],
  key_revoked: ['40006', 400],
  signature_wrong: ['40009', 400],
  passphrase_wrong: ['40036', 400],
  permission_missing: ['40014', 400],
  ip_not_allowed: ['40018', 400],
  rate_limited: ['429', 429],
  unavailable: ['40725', 503],
  system_error: ['45001', 500],
  parameter_invalid: ['40034', 400],
  reference_repeated: ['43118'],
  network_unknown: ['42014'],
  withdrawals_closed: ['43126'],
  amount_precision: ['43124'],
  below_minimum: ['43114'],
  above_maximum: ['13212'],
  tag_missing: ['43116'],
  address_invalid: ['47002'],
  address_not_saved: ['47003'],
  insufficient_funds: ['43012'],
  insufficient_funds_for_fee: ['43012'],
  pair_unknown: ['40102'],
  pair_closed: ['43115'],
  order_funds: ['43012'],
  order_minimum: ['43006'],
  order_price: ['43028'],
  order_volume: ['43006'],
  order_id_repeated: ['43118'],
  too_many_orders: ['43005'],
  period_too_long: ['40705'],
  account_unified: [
    '40085',
    'You are in Unified Account mode, and the Classic Account API is not supported at this time',
  ],
};

type Body = { code: string; data?: unknown };

const { get, withdraw, trade } = endpointsUnder('/api/v2');

/** The part of Bitget's API v2, for classic accounts, that Causeway uses. */
export const bitgetProtocol: RestProtocol = {
  id: 'bitget',
  endpoints: {
    account: get('spot/account/info', bitget.keyInfo),
    balances: get('spot/account/assets', bitget.balances),
    'funding.balances': get('account/funding-assets', bitget.fundingBalances),
    totals: get('account/all-account-balance', others.totals),
    'margin.balances': get('margin/crossed/account/assets', others.crossed),
    'isolated.balances': get('margin/isolated/account/assets', others.isolated),
    'futures.balances': get('mix/account/accounts', others.futures),
    'earn.balances': get('earn/account/assets', others.earn),
    'sub.balances': get('spot/account/subaccount-assets', others.subAssets),
    'sub.accounts': get('user/virtual-subaccount-list', others.subAccounts),
    'deposit.address': get('spot/wallet/deposit-address', bitget.depositAddress, 'addresses'),
    withdrawals: get('spot/wallet/withdrawal-records', bitget.withdrawals, 'transfers'),
    deposits: get('spot/wallet/deposit-records', bitget.deposits, 'transfers'),
    order: get('spot/trade/orderInfo', bitget.order, 'orders'),
    orders: get('spot/trade/history-orders', bitget.endedOrders, 'orders'),
    withdraw: withdraw('spot/wallet/withdrawal', bitget.withdrawal),
    'order.place': trade('spot/trade/place-order', bitget.placeOrder),
  },
  lists: bitgetLists,
  keyHeader: 'access-key',
  bodies: 'json',
  errors,
  errorStatus: 400,
  nothing: null,
  noOrder: [],
  success: (data) => ({ code: '00000', msg: 'success', requestTime: Date.now(), data }),
  failure: (code, msg) => ({ code, msg, requestTime: Date.now(), data: null }),
  errorIn: (body) => ((body as Body).code === '00000' ? null : (body as Body).code),
  contentOf: (body) => (body as Body).data,
  fields: {
    amount: 'size',
    fee: 'fee',
    address: 'address',
    tags: ['tag'],
    openedAt: 'cTime',
    timeOf: ({ cTime }) => Number(cTime),
  },
  authenticate: authenticate('classic'),
};
