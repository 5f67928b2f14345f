import { Amount } from '#money';
import type { HistoryKind } from '../../port/exchange.port.js';
import {
  accountsWith,
  all,
  fault,
  ifNew,
  newestIn,
  order,
  refused,
  sideIn,
  typeIn,
  type Meaning,
} from '../../testing/contract/documented.js';
import {
  json,
  type DocumentedCall,
  type ExchangeContract,
  type ListedEntry,
  type SampleOrder,
  type SampleRecord,
} from '../../testing/contract/exchange-contract.js';
import {
  BITCOIN,
  CHAIN,
  chainOf,
  coin,
  COINS_ROUTE,
  coinsCall,
  DEPOSIT_METHODS,
  LIGHTNING,
  LIMIT_ORDER,
  ok,
  refusal,
  signature,
  WRAPPED,
} from './bitget-common-contract.js';
import { bitgetOrder, bitgetNetworkEvidence } from './bitget-samples.js';
import { bitgetUnifiedContract } from './unified/bitget-unified-contract.js';
import { bitgetOtherAccounts } from './bitget-accounts-contract.js';

/**
 * Bitget as its documentation describes it: www.bitget.com/api-doc (December 2025). The responses repeat the documented
 * examples.
 */

const route = {
  key: 'GET /api/v2/spot/account/info',
  spot: 'GET /api/v2/spot/account/assets',
  funding: 'GET /api/v2/account/funding-assets',
  withdraw: 'POST /api/v2/spot/wallet/withdrawal',
  withdrawal: 'GET /api/v2/spot/wallet/withdrawal-records',
  deposit: 'GET /api/v2/spot/wallet/deposit-records',
  address: 'GET /api/v2/spot/wallet/deposit-address',
  place: 'POST /api/v2/spot/trade/place-order',
  order: 'GET /api/v2/spot/trade/orderInfo',
  ended: 'GET /api/v2/spot/trade/history-orders',
} as const;

/** Bitget's pages spot/account/Get-Account-Assets (with other amounts) and common/account/Funding-Assets. */
const SPOT = { coin: 'usdt', available: '12.5', frozen: '0.5', locked: '1', limitAvailable: '0', uTime: '1622697148' };
const FUNDING = { coin: 'USDT', available: '326', frozen: '', usdtValue: '326' };
/** Bitget's documentation: spot/account/Get-Account-Info */
const KEY = { userId: '**********', ips: '127.0.0.1,127.0.0.2', authorities: ['trade', 'readonly'], parentId: 1 };
/** Bitget's page spot/account/Get-Deposit-Address, with a chain that the list of coins lacks (see `readAddress`). */
const ADDRESS = {
  address: '39XNxK1Ryqgg3Bsyn6HzoqV4Xji25pNkv6',
  chain: 'BTC-Bitcoin',
  coin: 'BTC',
  tag: '',
  url: 'https://btc.com/xxx',
};
const ACCEPTED = { orderId: '888291686266343424', clientOid: '123' };
const PLACED = { orderId: '1001', clientOid: '121211212122' };
/** The example invoice of BOLT 11 for 0.0025 BTC. */
const INVOICE =
  'lnbc2500u1pvjluezpp5qqqsyqcyq5rqwzqfqqqsyqcyq5rqwzqfqqqsyqcyq5rqwzqfqypqdq5xysxxatsyp3k7enxv4jsxqzpuaztrnwngzn3kdzw5' +
  'hydlzf03qdgm2hdq27cqv3agm2awhz5se903vruatfhq77w3ls4evs3ch9zw97j25emudupq63nyw24cg27h2rspfj9srp';

const page: DocumentedCall['parameters'] = {
  coin: 'text?',
  orderId: 'text?',
  startTime: 'integer',
  endTime: 'integer',
  idLessThan: 'text?',
  limit: 'integer?',
};
const calls: Record<string, DocumentedCall> = {
  [route.key]: { parameters: {}, answer: ok(KEY) },
  [route.spot]: { parameters: { coin: 'text?', assetType: 'text?' }, answer: ok([SPOT]) },
  [route.funding]: { parameters: { coin: 'text?' }, answer: ok([FUNDING]) },
  ...coinsCall,
  [route.withdraw]: {
    parameters: {
      coin: 'text',
      transferType: 'text',
      address: 'text',
      chain: 'text?',
      tag: 'text?',
      size: 'decimal',
      remark: 'text?',
      clientOid: 'text?',
    },
    answer: ok(ACCEPTED),
  },
  [route.withdrawal]: { parameters: { ...page, clientOid: 'text?' }, answer: ok([]) },
  [route.deposit]: { parameters: page, answer: ok([]) },
  [route.address]: { parameters: { coin: 'text', chain: 'text?', size: 'text?' }, answer: ok(ADDRESS) },
  [route.place]: {
    parameters: {
      symbol: 'text',
      side: 'text',
      orderType: 'text',
      force: 'text',
      price: 'decimal?',
      size: 'decimal',
      clientOid: 'text?',
      requestTime: 'text?',
      receiveWindow: 'text?',
      stpMode: 'text?',
    },
    answer: ok(PLACED),
  },
  [route.order]: { parameters: { orderId: 'text?', clientOid: 'text?' }, answer: refusal('43001') },
  [route.ended]: {
    parameters: {
      symbol: 'text?',
      startTime: 'integer?',
      endTime: 'integer?',
      idLessThan: 'text?',
      limit: 'integer?',
      orderId: 'text?',
      tpslType: 'text?',
      requestTime: 'text?',
      receiveWindow: 'text?',
    },
    answer: ok([]),
  },
};

/** The calls of v3, which Bitget refuses to classic accounts (40084, see bitget-unified-contract.ts). */
const refusedCalls = Object.fromEntries(
  Object.entries(bitgetUnifiedContract.calls)
    .filter(([called]) => called.includes('/api/v3/'))
    .map(([called, call]) => [called, { ...call, answer: refusal('40084') }]),
);

const noBalance = ifNew('WITHDRAWAL_INSUFFICIENT_BALANCE');
const notSaved = refused('WITHDRAWAL_INVALID_ADDRESS', 'address_not_allowlisted');

/** Bitget's page spot/error-code/restapi: codes, meanings, HTTP status (default: 400). Comments quote the messages. */
const documentedErrors: readonly (readonly [codes: string, meaning: Meaning, status?: number])[] = [
  // "Request timestamp expired", "Request timed out", faults, and maintenance.
  ['40008 40010 40015 40200 40725 40808 45001', all(fault)],
  // "Too many requests"
  ['429', all({ grade: 'pause' }), 429],
  // "Invalid ACCESS_KEY", "apikey/password is incorrect", "passphrase is error", "Apikey does not exist"
  ['40006 40012 40036 40037 40041', all({ grade: 'credentials' })],
  ['40009', all({ grade: 'credentials', isDefinite: true, reason: 'invalid_signature' })],
  // "Incorrect permissions, need {0} permissions"; "Please bind ip whitelist address"
  ['40014', all({ grade: 'permission', isDefinite: true })],
  ['22010', { grade: 'permission' }],
  // "Invalid IP", "The current ip is not in the apikey ip whitelist"
  ['40018 40038', all({ grade: 'ip_not_allowed' })],
  ['40022 40024 40710', all(ifNew(undefined, 'account_locked'))],
  // "You are in Unified Account mode, and the Classic Account API is not supported" (github.com/ccxt/ccxt/issues/26838)
  ['40085', all(ifNew(undefined, 'unified_account'))],
  // "Parameter {0} cannot be empty", "Missing request Parameter"
  ['40019 48002', all(refused(undefined, 'invalid_arguments'))],
  // "Parameter verification failed {0}", "Parameter {0} error", "Parameter {0} does not exist"
  ['40017 40020 40034', all(ifNew(undefined, 'invalid_arguments'))],
  // "you are required to complete KYC first", "Please complete KYC", "Withdrawals in this account area must be kyc"
  ['40035 40101 40027', ifNew('WITHDRAWAL_KYC_REQUIRED')],
  // "withdraw address is not in addressBook"
  ['11000 47003 70217', notSaved],
  // "Withdraw is too frequent", "The operation is too frequent"
  ['13001 70228', { grade: 'pause' }],
  // "Currency does not exist"
  ['13002', refused('WITHDRAWAL_ASSET_NOT_SUPPORTED')],
  // "Your remaining withdrawal amount{0}", "The daily limit {0} is exceeded", "exceeds the daily limit"
  ['13004 43113 70213', ifNew('WITHDRAWAL_AMOUNT_ABOVE_MAXIMUM', 'daily_limit')],
  ['70219', ifNew('WITHDRAWAL_AMOUNT_ABOVE_MAXIMUM', 'monthly_limit')],
  // "A single withdrawal exceeds the maximum limit"
  ['13212', refused('WITHDRAWAL_AMOUNT_ABOVE_MAXIMUM')],
  // "The actual amount you can withdraw is {0}", "balance not enough", "Insufficient balance"
  ['13006 40754 43012', noBalance],
  // "The user must bind the phone or Google"
  ['40016', refused(undefined, 'two_factor_not_set')],
  // "User disable withdraw", "The current currency does not support withdrawal"
  ['40021 42015', ifNew(undefined, 'withdrawals_disabled')],
  // "withdrawals are prohibited within 24 hours"
  ['40052', ifNew(undefined, 'security_hold')],
  // "Can only check the data of the last three months"
  ['40704', ifNew(undefined, 'forgotten')],
  // "The current currency does not support deposit", "Currency recharge is not enabled"
  ['42014 42017 47001', ifNew('DEPOSIT_METHODS_UNAVAILABLE')],
  // "The order does not exist", "The data of the order cannot be found"
  ['43001 40109', ifNew('TRADING_ORDER_NOT_FOUND')],
  // "The amount of coins withdrawn is less than the handling fee {0}"
  ['43112', ifNew('WITHDRAWAL_AMOUNT_BELOW_MINIMUM')],
  // "Withdrawal is less than the minimum withdrawal count {0}"
  ['43114', refused('WITHDRAWAL_AMOUNT_BELOW_MINIMUM')],
  ['43116', refused('WITHDRAWAL_INVALID_ADDRESS', 'tag_missing')],
  // "Withdrawal address cannot be your own"
  ['43121', refused('WITHDRAWAL_INVALID_ADDRESS', 'own_address')],
  // "No more than 8 decimal places"
  ['43125', refused(undefined, 'amount_not_representable')],
  // "withdraw step is error"
  ['43124', ifNew(undefined, 'amount_not_representable')],
  // "The account has been suspended or deleted", "… due to abnormal behavior", "Your account is temporarily frozen"
  ['50012 50013 50023 50064', all(ifNew(undefined, 'account_locked'))],
  // "{0} can not deposit or withdrawal, please wait."
  ['70208', ifNew(undefined, 'withdrawals_disabled')],
  // "Due to settlement or maintenance reasons, the trade is suspended", "The trading pair is suspended for maintenance"
  ['45043 50027', order(ifNew('TRADING_ROUTE_UNAVAILABLE'))],
  // "clientOid duplicate", "clientOrderId duplicate", "outside of the ME receiveWindow"
  ['45034 43118 40078', order(fault)],
  // "Symbol does not exist"
  ['40102', order(refused('TRADING_ROUTE_NOT_FOUND'))],
  // "symbol {0} is Invalid or not supported spot trade"
  ['42016', order(ifNew('TRADING_ROUTE_NOT_FOUND'))],
  ['41114 43115', order(ifNew('TRADING_ROUTE_UNAVAILABLE'))],
  ['43012 40754', order(ifNew('GENERIC_INVALID_REQUEST', 'insufficient_balance'))],
  ['43005', order(ifNew('GENERIC_INVALID_REQUEST', 'too_many_open_orders'))],
  // "The order quantity is less than the minimum transaction quantity", "less than the minimum amount {0} USDT"
  ['43006 45111', order(refused('GENERIC_VALIDATION_ERROR', 'below_minimum_volume'))],
  ['45110 45114', order(ifNew('GENERIC_VALIDATION_ERROR', 'below_minimum_volume'))],
  ['43007 45112', order(refused('GENERIC_VALIDATION_ERROR', 'above_maximum_volume'))],
  // "Please enter an integer multiple of {0} for price", "Price step mismatch"
  ['43028 45035 45115', order(refused('GENERIC_VALIDATION_ERROR', 'invalid_tick_size'))],
  ['43008 43009', order(ifNew('GENERIC_VALIDATION_ERROR', 'price_limit'))],
];

/** Bitget's documentation: spot/account/Get-Withdraw-Record, spot/account/Get-Deposit-Record */
const states = { pending: 'pending', completed: 'success', failed: 'fail', 'unheard of': 'wallet_processing' } as const;

function entry(
  kind: HistoryKind,
  { id, at, asset, address, tag, net, fee, clientRef, state, status }: SampleRecord,
): object {
  const time = String(at.getTime());
  return {
    orderId: id,
    tradeId: 'aa',
    coin: asset,
    dest: 'on_chain',
    size: net.toString(),
    status: status ?? states[state],
    toAddress: address,
    fromAddress: '2',
    chain: 'lightning',
    cTime: time,
    uTime: time,
    ...(kind === 'deposit'
      ? { type: 'deposit' }
      : { type: 'withdraw', clientOid: clientRef ?? '', tag: tag ?? '', fee: `-${fee.toString()}`, confirm: '100' }),
  };
}

/**
 * Bitget: "The start and end time cannot exceed 90 days"; for `idLessThan`, "Requests the content on the page before
 * this ID (older data)".
 */
const PERIOD_MAX_MS = 90 * 86_400_000;

function listing(kind: HistoryKind, entries: readonly ListedEntry[]): Record<string, DocumentedCall['answer']> {
  return {
    [route[kind]]: ({ params }) => {
      const [since, until] = [Number(params['startTime']), Number(params['endTime'])];
      if (until - since > PERIOD_MAX_MS) return refusal('40705');
      const found = newestIn(entries, since, until)
        .filter(({ id }) => id === (params['orderId'] ?? id))
        .filter((one) => params['clientOid'] === undefined || clientOidOf(one) === params['clientOid']);
      const from = found.findIndex(({ id }) => id === params['idLessThan']) + 1;
      return ok(found.slice(from, from + Number(params['limit'] ?? 20)).map((one) => one.entry));
    },
  };
}

function clientOidOf({ entry: one }: ListedEntry): string | undefined {
  return (one as { clientOid?: string }).clientOid;
}

/**
 * Bitget's page Get-Order-Info: "If you query the order details through clientOid, the following requirements need to
 * be met: […] the order is in unfilled status". Page Get-History-Orders: ended orders of at most 90 days, at most 100
 * on a page. Its parameter `idLessThan` "Requests the content on the page before this ID (older data)".
 */
function orderListing(orders: readonly SampleOrder[]): Record<string, DocumentedCall['answer']> {
  const hasEnded = ({ state }: SampleOrder): boolean => state === 'filled' || state === 'canceled';
  return {
    [route.order]: ({ params: { orderId, clientOid } }) => {
      const isMeant = (one: SampleOrder): boolean =>
        orderId === undefined ? one.clientOrderId === clientOid && !hasEnded(one) : one.exchangeId === orderId;
      return ok(orders.filter(isMeant).map(bitgetOrder));
    },
    [route.ended]: ({ params: { startTime, endTime, idLessThan, limit = '100' } }) => {
      const [since, until] = [Number(startTime), Number(endTime)];
      if (until - since > PERIOD_MAX_MS) return refusal('40705');
      const found = orders.filter((one) => hasEnded(one) && one.at.getTime() >= since && one.at.getTime() <= until);
      const from = found.findIndex(({ exchangeId }) => exchangeId === idLessThan) + 1;
      return ok(found.slice(from, from + Math.min(Number(limit), 100)).map(bitgetOrder));
    },
  };
}

const none = { validUntil: null, lastUsed: null, createdTime: null, modifiedTime: null };

/** Bitget's documentation, as data for the contract suite. */
export const bitgetContract: ExchangeContract = {
  credentials: accountsWith('apiSecret', 'apiPassphrase'),
  noncesMustRise: false,
  signature,
  calls: { ...calls, ...refusedCalls },
  refusals: documentedErrors.flatMap(([codes, meaning, status = 400]) =>
    codes.split(' ').map((code) => ({ ...meaning, name: `${code} with HTTP ${status}`, reply: refusal(code, status) })),
  ),
  unlisted: [refusal('40104'), refusal('99999'), refusal('toString'), json({ code: 40009 }, 400)],
  repeatsAreRefusedFirst: null,
  limits: [
    { headers: { 'x-mbx-used-remain-limit': '0' }, of: 'endpoint', pauseMs: 1_000 },
    { reply: json({ code: '429', msg: 'Too many requests' }, 429), of: 'endpoint', pauseMs: 1_000 },
  ],
  networkEvidence: bitgetNetworkEvidence,
  balances: {
    expected: [
      {
        asset: 'USDT',
        free: '338.5',
        used: '1.5',
        total: '340',
        withdrawable: '12.5',
        elsewhere: [{ account: 'funding', kind: 'free', amount: '326' }],
      },
    ],
    unreadable: { [route.spot]: ok([SPOT, { ...SPOT, coin: 'BTC', locked: 'much' }]) },
  },
  otherAccounts: bitgetOtherAccounts,
  keyInfo: {
    route: route.key,
    expected: { ...none, permissions: ['trade', 'readonly'], ipAllowlist: ['127.0.0.1', '127.0.0.2'] },
    least: { reply: ok({ authorities: [], ips: '' }), expected: { ...none, permissions: [], ipAllowlist: [] } },
  },
  withdrawals: {
    route: route.withdraw,
    accepted: ok(ACCEPTED),
    exchangeIds: [ACCEPTED.orderId],
    withoutId: [ok(null), ok({}), ok({ ...ACCEPTED, orderId: '' }), json({ data: ACCEPTED })],
    // The documentation names no error for a repeated `clientOid` of a withdrawal, so this is the error for orders.
    repeated: refusal('45034'),
    instruction: {
      asset: 'BTC',
      network: 'lightning',
      address: INVOICE,
      tag: null,
      clientRef: 'ab12',
      amountNoFee: Amount.of('0.0025'),
      fee: Amount.of('0.00001'),
      amountWithFee: Amount.of('0.00251'),
    },
    tagged: null,
    // Bitget: "The value of size is the credited amount, excluding fees"
    amountIs: 'net',
    meaningOf: ({ json: sent }) => {
      const { coin: asset = '', address = '', tag = null, size: amount = '' } = sent as Record<string, string>;
      return { asset, address, tag, amount };
    },
    networks: {
      expected: [['BTC', 'lightning', null]],
      listing: (entries) => ({ [COINS_ROUTE]: ok(entries) }),
      good: BITCOIN,
      traps: {
        wrapped: [coin('BTC', WRAPPED), chainOf('ETH', 'LIGHTNING', null), chainOf('LTC', 'LIGHTNING', '')],
        bridged: [chainOf('USDC', 'LIGHTNING', '0xff970a61a04b1ca14834a43f5de4533ebddb5cc8')],
        contractless: [chainOf('USDT', 'LIGHTNING', null), coin('USDT', { ...LIGHTNING, contractAddress: undefined })],
        // The documentation does not state what an amount means on networks other than Lightning.
        unknown: [
          coin('BTC', CHAIN),
          coin('USDT', { ...CHAIN, chain: 'ERC20' }),
          chainOf('BTC', 'Never seen', null),
          coin('BTC', { ...LIGHTNING, chain: 'BTC-LIGHTNING' }),
        ],
      },
      unreadable: [
        null,
        {},
        { ...coin('ETH'), chains: 'ETH' },
        coin('BTC', { ...LIGHTNING, withdrawFee: 'a lot' }),
        coin('BTC', { ...LIGHTNING, withdrawable: 'yes' }),
        coin('BTC', null),
      ],
    },
  },
  orders: {
    route: route.place,
    // "Signature": the timestamp may differ by 30 seconds from the exchange's time
    signedForMs: 30_000,
    accepted: ok(PLACED),
    exchangeIds: [PLACED.orderId],
    withoutId: [ok(null), ok({}), ok({ ...PLACED, orderId: '' }), json({ code: '00000' })],
    repeated: refusal('45034'),
    instruction: LIMIT_ORDER,
    meaningOf: ({ json: sent }) => {
      const { symbol: pair = '', size: volume = '', price = null, ...rest } = sent as Record<string, string>;
      return { pair, side: sideIn(rest['side']), type: typeIn(rest['orderType'], { limit: 'limit' }), volume, price };
    },
    // Bitget: the size of a market order to buy is in the quote coin.
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
    entry,
    listing,
    endless: (kind, one) => ({ [route[kind]]: ok(Array.from({ length: 100 }, () => one)) }),
    pageSize: 100,
    unitMs: 1,
    windowDays: 90,
  },
};
