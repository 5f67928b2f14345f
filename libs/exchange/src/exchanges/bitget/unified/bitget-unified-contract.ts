import { Amount } from '#money';
import type { HistoryKind } from '../../../port/exchange.port.js';
import {
  accountsWith,
  all,
  fault,
  ifNew,
  newestIn,
  order,
  refused,
  UndocumentedRequest,
  sideIn,
  typeIn,
  type Meaning,
} from '../../../testing/contract/documented.js';
import {
  json,
  type DocumentedCall,
  type ExchangeContract,
  type ListedEntry,
  type SampleOrder,
  type SampleRecord,
} from '../../../testing/contract/exchange-contract.js';
import { coinsCall, DEPOSIT_METHODS, LIMIT_ORDER, ok, refusal, signature } from '../bitget-common-contract.js';
import { bitgetUnifiedOrder, bitgetNetworkEvidence } from '../bitget-samples.js';
import { bitgetUnifiedOtherAccounts } from '../bitget-accounts-contract.js';

/**
 * Bitget's API for unified accounts (v3) as its documentation describes it: www.bitget.com/api-doc/uta (December 2025).
 * The responses repeat the documented examples.
 */

export const route = {
  key: 'GET /api/v3/account/info',
  assets: 'GET /api/v3/account/assets',
  funding: 'GET /api/v3/account/funding-assets',
  withdrawal: 'GET /api/v3/account/withdrawal-records',
  deposit: 'GET /api/v3/account/deposit-records',
  address: 'GET /api/v3/account/deposit-address',
  place: 'POST /api/v3/trade/place-order',
  order: 'GET /api/v3/trade/order-info',
  ended: 'GET /api/v3/trade/history-orders',
} as const;

/** Bitget's page uta/account/Get-Account-Info */
const KEY = {
  userId: '1234567890',
  inviterId: '',
  parentId: '',
  channelCode: 'abc',
  channel: 'def',
  ips: '192.168.1.1,192.168.1.2',
  permType: 'read-and-write',
  regisTime: '1700000000000',
  permissions: ['uta_mgt', 'uta_trade', 'withdraw', 'copy_futures_position', 'copy_futures_order'],
};
/** Bitget's page uta/account/Get-Account, with another locked amount. It lists only coins with a balance. */
const ASSET = {
  coin: 'USDT',
  equity: '6.19300826',
  usdValue: '6.19299777',
  balance: '6.19300826',
  available: '6.19300826',
  debt: '0',
  locked: '1.5',
};
const BGB = {
  ...ASSET,
  coin: 'BGB',
  equity: '1.15582129',
  balance: '1.15582129',
  available: '1.15582129',
  locked: '0',
};
const assets = (...list: unknown[]) =>
  ok({
    accountEquity: '11.13919278',
    usdtEquity: '11.13921165',
    btcEquity: '0.00011256',
    unrealisedPnl: '0',
    usdtUnrealisedPnl: '0',
    btcUnrealizedPnl: '0',
    effEquity: '6.19299777',
    mmr: '0',
    imr: '0',
    mgnRatio: '0',
    positionMgnRatio: '0',
    assets: list,
  });
/** Bitget's page uta/account/Get-Account-Funding-Assets */
const FUNDING = { coin: 'USDT', available: '0.04', frozen: '0', balance: '0.04' };
/** Bitget's page uta/account/deposit/Get-Deposit-Address, with the address of the sample for v2. */
const ADDRESS = { address: '39XNxK1Ryqgg3Bsyn6HzoqV4Xji25pNkv6', chain: 'btc', coin: 'BTC', tag: null, url: '' };
/** Bitget's page uta/trade/Place-Order */
const PLACED = { clientOid: '121211212122', orderId: '1001' };

const page: DocumentedCall['parameters'] = {
  coin: 'text?',
  orderId: 'text?',
  startTime: 'integer',
  endTime: 'integer',
  limit: 'integer?',
  cursor: 'text?',
};
const calls: Record<string, DocumentedCall> = {
  [route.key]: { parameters: {}, answer: ok(KEY) },
  [route.assets]: { parameters: {}, answer: assets(ASSET, BGB) },
  [route.funding]: { parameters: { coin: 'text?' }, answer: ok([FUNDING]) },
  [route.withdrawal]: { parameters: { ...page, clientOid: 'text?' }, answer: ok([]) },
  [route.deposit]: { parameters: page, answer: ok([]) },
  [route.address]: { parameters: { coin: 'text', chain: 'text?', size: 'text?' }, answer: ok(ADDRESS) },
  [route.place]: {
    parameters: {
      category: 'text',
      symbol: 'text',
      qty: 'decimal',
      price: 'decimal?',
      side: 'text',
      orderType: 'text',
      timeInForce: 'text?',
      clientOid: 'text?',
      stpMode: 'text?',
    },
    answer: ok(PLACED),
  },
  [route.order]: { parameters: { orderId: 'text?', clientOid: 'text?' }, answer: refusal('25204') },
  [route.ended]: {
    parameters: {
      category: 'text',
      symbol: 'text?',
      startTime: 'integer?',
      endTime: 'integer?',
      limit: 'integer?',
      cursor: 'text?',
    },
    // Recorded in msei99/pbgui for an account without orders.
    answer: ok({ list: null, cursor: null }),
  },
};

/**
 * Bitget's page uta/error-code/restapi: codes and meanings. Comments quote the messages. The page states no HTTP
 * status. Recorded refusals (40014, 40084) have 400.
 */
const documentedErrors: readonly (readonly [codes: string, meaning: Meaning, status?: number])[] = [
  // "System error", "Operation timed out", "Concurrent operation, please retry", "Request timestamp expired"
  ['25000 25001 25003 40008 40725', all(fault)],
  // Page uta/trade/Place-Order: "Request timed out", "Unknown error"
  ['40010 45001', all(fault)],
  // "Duplicate clientOid"
  ['25212', order(fault)],
  ['429', all({ grade: 'pause' }), 429],
  // "Operation too frequent, please try again later"
  ['25004', all({ grade: 'pause' })],
  // "Invalid ACCESS_KEY"
  ['40006', all({ grade: 'credentials', reason: 'unknown_key' })],
  ['40009', all({ grade: 'credentials', isDefinite: true, reason: 'invalid_signature' })],
  // "Incorrect permissions, need UTA manage read" (recorded in msei99/pbgui); "permission denied"
  ['40014', all({ grade: 'permission', isDefinite: true })],
  ['25620', all({ grade: 'permission' })],
  // "Abnormal account status", "Account is in forced liquidation status", "Account at risk"
  ['25006 25007 25008 25012', all(ifNew(undefined, 'account_locked'))],
  // "You are in Classic Account mode, and the Unified Account API is not supported at this time" (recorded in
  // TraderAlice/OpenAlice); "The account is not the unified account mode"
  ['40084 25245', all(ifNew(undefined, 'classic_account'))],
  // "{0} validation error", "Parameter verification failed {0}", "Parameter {0} does not exist"
  ['25200 40017 40034 400172', all(ifNew(undefined, 'invalid_arguments'))],
  ['25204', ifNew('TRADING_ORDER_NOT_FOUND')],
  // "This coin is not supported for deposits into the unified account", "Currency does not exist"
  ['25110 25201', ifNew('DEPOSIT_METHODS_UNAVAILABLE')],
  // "Trading pair {0} does not exist"
  ['25100', order(refused('TRADING_ROUTE_NOT_FOUND'))],
  // "{0} not support API trade", "Trading pair not open for trading", "Trading suspended"
  ['25013 25101 25102 25103 25106', order(ifNew('TRADING_ROUTE_UNAVAILABLE'))],
  // "Insufficient balance", "Insufficient margin"
  ['25202 25203', order(ifNew('GENERIC_INVALID_REQUEST', 'insufficient_balance'))],
  // "Exceeds the limit of {0} maximum orders"
  ['25211', order(ifNew('GENERIC_INVALID_REQUEST', 'too_many_open_orders'))],
  // "{0} trading quantity cannot be less than {1} units", "… cannot exceed {1} units"
  ['25207', order(refused('GENERIC_VALIDATION_ERROR', 'below_minimum_volume'))],
  ['25208', order(refused('GENERIC_VALIDATION_ERROR', 'above_maximum_volume'))],
  // "Price should be a multiple of {0}", "Order amount does not meet precision requirements"
  ['25244', order(refused('GENERIC_VALIDATION_ERROR', 'invalid_tick_size'))],
  ['25610', order(refused('GENERIC_VALIDATION_ERROR', 'invalid_precision'))],
  // "Order quantity must be greater than the minimum order amount"
  ['25611', order(ifNew('GENERIC_VALIDATION_ERROR', 'below_minimum_volume'))],
  // "{0} trading price cannot be below {1}%", "… cannot exceed {1}%"
  ['25205 25206', order(ifNew('GENERIC_VALIDATION_ERROR', 'price_limit'))],
];

/** Bitget's pages uta/account/deposit/Get-Deposit-Records and uta/account/withdrawal/Get-Withdrawal-Records */
const states = { pending: 'pending', completed: 'success', failed: 'fail', 'unheard of': 'wallet_processing' } as const;

function entry(
  kind: HistoryKind,
  { id, at, asset, address, tag, net, fee, clientRef, state, status }: SampleRecord,
): object {
  const time = String(at.getTime());
  return {
    orderId: id,
    recordId: 'aa',
    coin: asset,
    dest: 'on_chain',
    size: net.toString(),
    status: status ?? states[state],
    fromAddress: '2',
    toAddress: address,
    chain: 'lightning',
    createdTime: time,
    updatedTime: time,
    ...(kind === 'deposit'
      ? { type: 'deposit' }
      : { type: 'withdraw', clientOid: clientRef, tag: tag ?? '', fee: fee.toString(), confirm: '100' }),
  };
}

/** ccxt 4.5.84 (`bitget.fetchDeposits`): "uta allows a window of 30 days at most". */
const PERIOD_MAX_MS = 30 * 86_400_000;

/**
 * Bitget, about `cursor`: "use the smallest orderId returned from the previous query. The results will return data less
 * than that value". The sample ids are no numbers, so here these are the entries after that one.
 */
function listing(kind: HistoryKind, entries: readonly ListedEntry[]): Record<string, DocumentedCall['answer']> {
  return {
    [route[kind]]: ({ params }) => {
      const [since, until] = [Number(params['startTime']), Number(params['endTime'])];
      if (until - since > PERIOD_MAX_MS) return refusal('25200');
      const found = newestIn(entries, since, until);
      const from = found.findIndex(({ id }) => id === params['cursor']) + 1;
      return ok(found.slice(from, from + Number(params['limit'] ?? 20)).map((one) => one.entry));
    },
  };
}

/**
 * Bitget's page uta/trade/Get-Order-Details, by either id. Here it finds by our id only open orders: the page does not
 * say that it also finds others. Page Get-Order-History: ended orders of at most 30 days, at most 100 on a page. Its
 * cursor is that of the previous page.
 */
function orderListing(orders: readonly SampleOrder[]): Record<string, DocumentedCall['answer']> {
  const hasEnded = ({ state }: SampleOrder): boolean => state === 'filled' || state === 'canceled';
  return {
    [route.order]: ({ params: { orderId, clientOid } }) => {
      const isMeant = (one: SampleOrder): boolean =>
        orderId === undefined ? one.clientOrderId === clientOid && !hasEnded(one) : one.exchangeId === orderId;
      const found = orders.find(isMeant);
      return found === undefined ? refusal('25204') : ok(bitgetUnifiedOrder(found));
    },
    [route.ended]: ({ params: { startTime, endTime, cursor, limit = '100' } }) => {
      const [since, until] = [Number(startTime), Number(endTime)];
      if (until - since > PERIOD_MAX_MS) return refusal('25200');
      const found = orders.filter((one) => hasEnded(one) && one.at.getTime() >= since && one.at.getTime() <= until);
      const from = found.findIndex(({ exchangeId }) => exchangeId === cursor) + 1;
      const list = found.slice(from, from + Math.min(Number(limit), 100));
      return ok({ list: list.map(bitgetUnifiedOrder), cursor: list.at(-1)?.exchangeId ?? null });
    },
  };
}

const none = { validUntil: null, lastUsed: null, createdTime: null, modifiedTime: null };

/** The documentation of Bitget's API for unified accounts, as data for the contract suite. */
export const bitgetUnifiedContract: ExchangeContract = {
  documentedAs: 'bitget-unified',
  credentials: accountsWith('apiSecret', 'apiPassphrase'),
  noncesMustRise: false,
  signature,
  calls: { ...coinsCall, ...calls },
  refusals: documentedErrors.flatMap(([codes, meaning, status = 400]) =>
    codes.split(' ').map((code) => ({ ...meaning, name: `${code} with HTTP ${status}`, reply: refusal(code, status) })),
  ),
  // The table of v2 has the codes 40037 and 43012, that of v3 does not.
  unlisted: [refusal('40037'), refusal('43012'), refusal('toString'), json({ code: 40009 }, 400)],
  repeatsAreRefusedFirst: null,
  limits: [
    { headers: { 'x-mbx-used-remain-limit': '0' }, of: 'endpoint', pauseMs: 1_000 },
    { reply: json({ code: '429', msg: 'Too many requests' }, 429), of: 'endpoint', pauseMs: 1_000 },
  ],
  networkEvidence: bitgetNetworkEvidence,
  balances: {
    expected: [
      { asset: 'USDT', free: '6.23300826', used: '1.5', total: '7.73300826', withdrawable: '6.23300826' },
      { asset: 'BGB', free: '1.15582129', used: '0', total: '1.15582129', withdrawable: '1.15582129' },
    ],
    unreadable: { [route.assets]: assets(ASSET, { ...BGB, locked: 'much' }) },
  },
  otherAccounts: bitgetUnifiedOtherAccounts,
  keyInfo: {
    route: route.key,
    expected: { ...none, permissions: KEY.permissions, ipAllowlist: ['192.168.1.1', '192.168.1.2'] },
    // The recorded form of the type (msei99/pbgui).
    least: {
      reply: ok({ permType: 'read_only', permissions: ['uta_mgt'] }),
      expected: { ...none, permissions: ['read-only'], ipAllowlist: [] },
    },
  },
  orders: {
    route: route.place,
    // "Signature": the timestamp may differ by 30 seconds from the exchange's time
    signedForMs: 30_000,
    accepted: ok(PLACED),
    exchangeIds: [PLACED.orderId],
    withoutId: [ok(null), ok({}), ok({ ...PLACED, orderId: '' }), json({ code: '00000' })],
    repeated: refusal('25212'),
    instruction: LIMIT_ORDER,
    // Bitget, about `qty`: "For limit and market sell orders, the unit is base coin".
    meaningOf: ({ json: sent }) => {
      const { symbol: pair = '', qty: volume = '', price = null, ...rest } = sent as Record<string, string>;
      if (rest['category'] !== 'SPOT') throw new UndocumentedRequest('the order is not a spot order');
      return { pair, side: sideIn(rest['side']), type: typeIn(rest['orderType'], { limit: 'limit' }), volume, price };
    },
    // Bitget: the qty of a market order to buy is in the quote coin.
    limitOnly: true,
    listing: orderListing,
    feeAsset: 'USDT',
  },
  deposits: {
    asset: 'BTC',
    methods: DEPOSIT_METHODS,
    method: 'BTC',
    addresses: [{ address: ADDRESS.address, tag: null }],
    unsafe: { [route.address]: ok({ ...ADDRESS, address: '0x551e823a3b36865e8c5dc6e6ac6cc0b00d98533e' }) },
  },
  history: {
    // Only on Lightning is it certain that an amount is what arrives.
    sample: {
      asset: 'BTC',
      network: 'lightning',
      address: 'lnbc1',
      tag: null,
      clientRef: 'ab12',
      net: Amount.of('0.0025'),
      fee: Amount.of('0.00001'),
    },
    entry,
    listing,
    endless: (kind, one) => ({ [route[kind]]: ok(Array.from({ length: 100 }, () => one)) }),
    pageSize: 100,
    unitMs: 1,
    windowDays: 30,
  },
};
