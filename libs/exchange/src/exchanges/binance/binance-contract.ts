import { createHmac } from 'node:crypto';
import { Amount } from '#money';
import type { HistoryKind } from '../../port/exchange.port.js';
import { accountsWith, all, fault, ifNew, order, refused, type Meaning } from '../../testing/contract/documented.js';
import {
  json,
  type DocumentedCall,
  type ExchangeContract,
  type ListedEntry,
  type Reply,
  type SampleOrder,
} from '../../testing/contract/exchange-contract.js';
import type { ReceivedCall } from '../../testing/stub-exchange.js';
import * as samples from './binance-samples.js';
import { binanceOtherAccounts } from './binance-accounts-contract.js';

/**
 * Binance as its documentation describes it: developers.binance.com/docs/wallet (January 2026) and, for orders,
 * …/docs/binance-spot-api-docs (July 2026). The responses repeat the documented examples.
 */

const route = {
  key: 'GET /sapi/v1/account/apiRestrictions',
  spot: 'POST /sapi/v3/asset/getUserAsset',
  funding: 'POST /sapi/v1/asset/get-funding-asset',
  coins: 'GET /sapi/v1/capital/config/getall',
  travelRule: 'GET /sapi/v1/localentity/questionnaire-requirements',
  withdraw: 'POST /sapi/v1/capital/withdraw/apply',
  withdrawal: 'GET /sapi/v1/capital/withdraw/history',
  deposit: 'GET /sapi/v1/capital/deposit/hisrec',
  address: 'GET /sapi/v1/capital/deposit/address',
  place: 'POST /api/v3/order',
  order: 'GET /api/v3/order',
  trades: 'GET /api/v3/myTrades',
} as const;

/**
 * Binance's page general-info, "SIGNED endpoint security": "The signature payload of your request is the query string
 * concatenated without separator to the HTTP body", HMAC SHA256 in hexadecimal digits. The timestamp is in
 * milliseconds, and `recvWindow` is at most 60000.
 */
function signatureProblem(
  { target, body, params }: ReceivedCall,
  { apiSecret }: ExchangeContract['credentials'][number],
): string | null {
  const payload = (target.split('?')[1] ?? '') + body;
  const [, signed = '', signature = ''] = /^(.*)&signature=([0-9a-f]+)$/.exec(payload) ?? [];
  const expected = createHmac('sha256', apiSecret?.reveal() ?? '')
    .update(signed)
    .digest('hex');
  if (signature !== expected) return 'the signature is wrong';
  const age = Date.now() - Number(params['timestamp']);
  const window = Number(params['recvWindow'] ?? 5000);
  if (window > 60_000) return 'recvWindow must be less than 60000';
  return age > -1000 && age <= window ? null : 'the timestamp is outside of the recvWindow';
}

/** The documented sample of a network (Binance's page wallet/capital), for this coin and network. */
const network = (coin: string, name: string, rest: object = {}) => ({
  network: name,
  coin,
  withdrawIntegerMultiple: '0.00000001',
  isDefault: true,
  depositEnable: true,
  withdrawEnable: true,
  depositDesc: '',
  withdrawDesc: '',
  specialTips: '',
  specialWithdrawTips: '',
  name,
  resetAddressStatus: false,
  addressRegex: '',
  memoRegex: '',
  withdrawFee: '0.0005',
  withdrawMin: '0.001',
  withdrawMax: '9999999999',
  withdrawInternalMin: '0.00000001',
  depositDust: '0.01',
  minConfirm: 5,
  unLockConfirm: 0,
  sameAddress: false,
  withdrawTag: false,
  estimatedArrivalTime: 1,
  busy: false,
  contractAddressUrl: '',
  contractAddress: '',
  ...rest,
});
const EVM = { addressRegex: '^(0x)[0-9A-Fa-f]{40}$', contractAddressUrl: 'https://etherscan.io/address/' };
const token = (coin: string, name: string, contractAddress: string | undefined, rest: object = {}) =>
  network(coin, name, { ...EVM, contractAddress, ...rest });
const TETHER = '0xdac17f958d2ee523a2206206994597c13d831ec7';
const BITCOIN = network('BTC', 'BTC');
const RIPPLE = network('XRP', 'XRP', {
  memoRegex: '^((?!0)[0-9]{1,10})$',
  withdrawFee: '0.25',
  withdrawMin: '1',
  withdrawTag: true,
  sameAddress: true,
});
/** A coin with one network. The amounts beside the network describe the account's balance. */
const coinOf = (entry: unknown, rest: object = {}) => ({
  coin: (entry as { coin?: string } | null)?.coin ?? 'BTC',
  depositAllEnable: true,
  withdrawAllEnable: true,
  free: '34941.1',
  locked: '0',
  freeze: '0',
  withdrawing: '0',
  ipoing: '0',
  ipoable: '0',
  storage: '0',
  isLegalMoney: false,
  trading: true,
  networkList: [entry],
  ...rest,
});
/** A network without `withdrawTag`, as in a recorded list: gocryptotrader, exchanges/binance/testdata/http.json. */
const RECORDED = token('USDT', 'ETH', TETHER, { withdrawTag: undefined });
const coins = (...entries: unknown[]): Reply => json(entries.map((entry) => coinOf(entry)));

/** Binance's documentation: asset/user-assets (the amount in `locked` is ours), asset/funding-wallet */
const BNB = {
  asset: 'BNB',
  free: '887.47061626',
  locked: '0.25',
  freeze: '10.52',
  withdrawing: '0.1',
  ipoable: '0',
  btcValuation: '0',
};
const FUNDING = { asset: 'USDT', free: '1', locked: '0', freeze: '0', withdrawing: '0', btcValuation: '0.00000091' };
/** Binance's documentation: account/api-key-permission */
const RESTRICTIONS = {
  ipRestrict: true,
  createTime: 1698645219000,
  enableReading: true,
  enableWithdrawals: true,
  enableInternalTransfer: false,
  enableMargin: false,
  enableFutures: false,
  permitsUniversalTransfer: true,
  enableVanillaOptions: false,
  enableFixApiTrade: false,
  enableFixReadOnly: true,
  enableSpotAndMarginTrading: false,
  enablePortfolioMarginTrading: true,
};
/** Binance's documentation: capital/withdraw */
const ACCEPTED = { id: '7213fea8e94b4a5593d507237e5a555b' };
/** Binance's page trading-endpoints, "Response - ACK", with the order id of the documented "Account trade list". */
const PLACED = {
  symbol: 'BTCUSDT',
  orderId: 100234,
  orderListId: -1,
  clientOrderId: '6gCrw2kRUAF9CvJDGP16IP',
  transactTime: 1507725176595,
};
/** Binance's documentation: capital/deposite-address */
const ADDRESS = { address: '1HPn8Rx2y6nNSfagQBKy27GB99Vbzg89wv', coin: 'BTC', tag: '', url: 'https://btc.com/1HPn8Rx' };

const signed = { timestamp: 'integer', recvWindow: 'integer?', signature: 'text' } as const;
const page: DocumentedCall['parameters'] = {
  ...signed,
  coin: 'text?',
  status: 'integer?',
  offset: 'integer?',
  limit: 'integer?',
  startTime: 'integer?',
  endTime: 'integer?',
};
const calls: Record<string, DocumentedCall> = {
  [route.key]: { parameters: signed, answer: json(RESTRICTIONS) },
  [route.spot]: { parameters: { ...signed, asset: 'text?', needBtcValuation: 'boolean?' }, answer: json([BNB]) },
  [route.funding]: { parameters: { ...signed, asset: 'text?', needBtcValuation: 'text?' }, answer: json([FUNDING]) },
  [route.coins]: { parameters: signed, answer: coins(BITCOIN, RIPPLE, RECORDED) },
  [route.travelRule]: { parameters: signed, answer: json({ questionnaireCountryCode: 'NIL' }) },
  [route.withdraw]: {
    parameters: {
      ...signed,
      coin: 'text',
      withdrawOrderId: 'text?',
      network: 'text?',
      address: 'text',
      addressTag: 'text?',
      amount: 'decimal',
      transactionFeeFlag: 'boolean?',
      name: 'text?',
      walletType: 'integer?',
    },
    answer: json(ACCEPTED),
  },
  [route.withdrawal]: {
    parameters: { ...page, withdrawOrderId: 'text?', idList: 'text?' },
    answer: json([]),
    // "will not be returned if there's no withdrawOrderId for this withdraw."
    also: { '[].withdrawOrderId': [undefined] },
  },
  [route.deposit]: { parameters: { ...page, includeSource: 'boolean?', txId: 'text?' }, answer: json([]) },
  [route.address]: {
    parameters: { ...signed, coin: 'text', network: 'text?', amount: 'decimal?' },
    answer: json(ADDRESS),
  },
  [route.place]: {
    parameters: {
      ...signed,
      symbol: 'text',
      side: 'text',
      type: 'text',
      timeInForce: 'text?',
      quantity: 'decimal?',
      quoteOrderQty: 'decimal?',
      price: 'decimal?',
      newClientOrderId: 'text?',
      newOrderRespType: 'text?',
    },
    answer: json(PLACED),
  },
  [route.order]: {
    parameters: { ...signed, symbol: 'text', orderId: 'integer?', origClientOrderId: 'text?' },
    answer: refusal(-2013),
  },
  [route.trades]: {
    parameters: { ...signed, symbol: 'text', orderId: 'integer?', fromId: 'integer?', limit: 'integer?' },
    answer: json([]),
  },
};

function refusal(code: number, status = 400, msg = 'a text'): Reply {
  return json({ code, msg }, status);
}

const invalidArguments = refused(undefined, 'invalid_arguments');

/**
 * The errors of the pages error-code and binance-spot-api-docs/errors, with their HTTP status by general-info (default:
 * 400).
 */
const documentedErrors: readonly (readonly [code: number, meaning: Meaning, status?: number, message?: string])[] = [
  [-1000, all(fault)],
  [-1001, all(fault), 500],
  [-1002, all({ grade: 'permission' }), 401],
  [-1003, all({ grade: 'pause' }), 429],
  [-1003, all({ grade: 'pause' }), 418],
  [-1006, all(fault)],
  [-1007, all(fault), 408],
  [-1008, all(fault), 503],
  [-1015, all({ grade: 'pause' }), 429],
  [-1021, all(fault)],
  [-1022, all({ grade: 'credentials', isDefinite: true, reason: 'invalid_signature' })],
  ...[-1100, -1101, -1102, -1103, -1104, -1105, -1106, -1111, -1128, -1130, -1131].map(
    (code) => [code, all(invalidArguments)] as const,
  ),
  [-2014, all({ grade: 'credentials' }), 401],
  // These codes have several possible causes, so they must not disconnect a wallet. Binance does not document -2008.
  [-2008, all({ grade: 'permission', reason: 'key_ip_or_permission' }), 400],
  [-2015, all({ grade: 'permission', reason: 'key_ip_or_permission' }), 401],
  [-2026, ifNew('TRADING_ORDER_NOT_FOUND')],
  [-2013, ifNew('TRADING_ORDER_NOT_FOUND')],
  [-4047, invalidArguments],
  [-3001, refused(undefined, 'two_factor_disabled')],
  [-4005, { grade: 'pause' }],
  [-4006, refused(undefined, 'sub_account')],
  [-4007, refused('WITHDRAWAL_INVALID_ADDRESS')],
  [-4008, refused('WITHDRAWAL_INVALID_ADDRESS', 'tag_invalid')],
  [-4013, refused(undefined, 'two_factor_disabled')],
  [-4014, ifNew(undefined, 'security_hold')],
  [-4015, ifNew(undefined, 'account_locked')],
  [-4016, ifNew(undefined, 'security_hold')],
  [-4018, refused('WITHDRAWAL_ASSET_NOT_SUPPORTED')],
  [-4019, ifNew('WITHDRAWAL_ASSET_NOT_SUPPORTED', 'withdrawals_disabled')],
  [-4021, refused(undefined, 'amount_not_representable')],
  [-4022, refused('WITHDRAWAL_AMOUNT_BELOW_MINIMUM')],
  [-4023, ifNew('WITHDRAWAL_AMOUNT_ABOVE_MAXIMUM', 'daily_limit')],
  [-4024, ifNew('WITHDRAWAL_INSUFFICIENT_BALANCE')],
  [-4026, ifNew('WITHDRAWAL_INSUFFICIENT_BALANCE')],
  [-4028, ifNew('WITHDRAWAL_AMOUNT_BELOW_MINIMUM')],
  [-4033, refused('WITHDRAWAL_INVALID_ADDRESS')],
  [-4034, ifNew('WITHDRAWAL_INVALID_ADDRESS', 'suspicious_address')],
  [-4035, refused('WITHDRAWAL_INVALID_ADDRESS', 'address_not_allowlisted')],
  [-4036, ifNew(undefined, 'security_hold')],
  [-4044, ifNew('DEPOSIT_ADDRESS_UNAVAILABLE', 'country_not_served')],
  [-4046, ifNew(undefined, 'agreement_not_confirmed')],
  // "… withdrawals are not permitted due to travel rule restrictions"
  // (github.com/binance/binance-connector-java/issues/137)
  [-4104, ifNew(undefined, 'travel_rule')],
  // Change log of 28 April 2026: TAG_NOT_SUPPORTED_FOR_NETWORK
  [-4106, refused('WITHDRAWAL_INVALID_ADDRESS', 'tag_not_supported')],
  [-4060, ifNew('WITHDRAWAL_INSUFFICIENT_BALANCE', 'deposit_unconfirmed')],
  ...[-1114, -1115, -1117, -1118].map((code) => [code, order(invalidArguments)] as const),
  [-1014, order(refused('TRADING_ORDER_TYPE_NOT_SUPPORTED'))],
  [-1116, order(refused('TRADING_ORDER_TYPE_NOT_SUPPORTED'))],
  [-1121, order(refused('TRADING_ROUTE_NOT_FOUND'))],
  ...samples.binanceOrderRefusals.map(([code, msg, meaning]) => [code, order(meaning), 400, msg] as const),
];

const DAY_MS = 86_400_000;

/**
 * Binance: "time between startTime and endTime must be less than 90 days", with `withdrawOrderId` 7 days. "Data is
 * returned in ascending order. Oldest first, newest last." (page general-info)
 */
function listing(kind: HistoryKind, entries: readonly ListedEntry[]): Record<string, DocumentedCall['answer']> {
  return {
    [route[kind]]: ({ params: { startTime, endTime, offset = '0', limit = '1000', idList, withdrawOrderId } }) => {
      const days = withdrawOrderId === undefined ? 90 : 7;
      const end = Number(endTime ?? Date.now());
      const start = Number(startTime ?? end - days * DAY_MS + 1);
      if (end - start >= days * DAY_MS) return refusal(-4047);
      const found = entries
        .filter(({ at }) => at.getTime() >= start && at.getTime() <= end)
        .filter(({ id }) => idList === undefined || idList.split(',').includes(id))
        .filter((one) => withdrawOrderId === undefined || referenceOf(one) === withdrawOrderId)
        .sort((a, b) => a.at.getTime() - b.at.getTime());
      return json(found.slice(Number(offset), Number(offset) + Number(limit)).map((one) => one.entry));
    },
  };
}

function referenceOf({ entry: one }: ListedEntry): string | undefined {
  return (one as { withdrawOrderId?: string }).withdrawOrderId;
}

/** Binance's documentation, as data for the contract suite. */
export const binanceContract: ExchangeContract = {
  credentials: accountsWith('apiSecret'),
  noncesMustRise: false,
  signature: {
    keyOf: ({ headers }) => (headers['x-mbx-apikey'] as string | undefined) ?? null,
    check: () => signatureProblem,
  },
  calls,
  refusals: documentedErrors.map(([code, meaning, status = 400, message]) => ({
    ...meaning,
    name: `${code} with HTTP ${status} ${message ?? ''}`,
    reply: refusal(code, status, message),
  })),
  unlisted: [refusal(-4999), refusal(-1), refusal(200003903), json({ code: '-4026', msg: 'a text' }, 400)],
  repeatsAreRefusedFirst: null,
  limits: samples.binanceLimits,
  networkEvidence: samples.binanceNetworkEvidence,
  balances: {
    expected: [
      { asset: 'BNB', free: '887.47061626', used: '10.87', total: '898.34061626', withdrawable: '887.47061626' },
      {
        asset: 'USDT',
        free: '1',
        used: '0',
        total: '1',
        withdrawable: '0',
        elsewhere: [{ account: 'funding', kind: 'free', amount: '1' }],
      },
    ],
    unreadable: { [route.funding]: json([FUNDING, { ...FUNDING, asset: 'BTC', free: 'much' }]) },
  },
  otherAccounts: binanceOtherAccounts,
  keyInfo: {
    route: route.key,
    expected: {
      permissions: [
        ...['enableReading', 'enableWithdrawals', 'permitsUniversalTransfer', 'enableFixReadOnly'],
        'enablePortfolioMarginTrading',
      ],
      ipAllowlist: [],
      validUntil: null,
      lastUsed: null,
      createdTime: 1698645219,
      modifiedTime: null,
    },
    least: {
      reply: json({ enableReading: true }),
      expected: {
        permissions: ['enableReading'],
        ipAllowlist: [],
        validUntil: null,
        lastUsed: null,
        createdTime: null,
        modifiedTime: null,
      },
    },
  },
  withdrawals: {
    route: route.withdraw,
    accepted: json(ACCEPTED),
    exchangeIds: [ACCEPTED.id],
    withoutId: [json({}), json([]), json({ id: '' }), json({ id: null }), json({ msg: 'success', success: true })],
    // The documentation does not say what Binance does with a repeated `withdrawOrderId`. In this sample, the balance
    // does not suffice for the second copy (-4026).
    repeated: refusal(-4026),
    instruction: {
      asset: 'BTC',
      network: 'bitcoin',
      address: '1FZdVHtiBqMrWdjPyRPULCUceZPJ2WLCsB',
      tag: null,
      clientRef: 'WITHDRAWtest123',
      amountNoFee: Amount.of('0.1'),
      fee: Amount.of('0.0005'),
      amountWithFee: Amount.of('0.1005'),
    },
    tagged: {
      asset: 'XRP',
      network: 'ripple',
      address: 'rLHzPsX6oXkzU2qL12kHCH8G8cnZv1rBJh',
      tag: '101286922',
      clientRef: 'WITHDRAWtest124',
      amountNoFee: Amount.of('28.75'),
      fee: Amount.of('0.25'),
      amountWithFee: Amount.of('29'),
    },
    // Binance: "The amount of withdrawal must be greater than the Commission." (-4028) So the amount includes the fee.
    amountIs: 'gross',
    meaningOf: ({ params: { coin = '', address = '', addressTag = null, amount = '' } }) => ({
      asset: coin,
      address,
      tag: addressTag,
      amount,
    }),
    networks: {
      expected: [
        ['BTC', 'bitcoin', null],
        ['XRP', 'ripple', null],
        ['USDT', 'ethereum', '0xdAC17F958D2ee523a2206206994597C13D831ec7'],
      ],
      listing: (entries) => ({ [route.coins]: coins(...entries) }),
      good: BITCOIN,
      traps: {
        wrapped: [
          token('BTC', 'BSC', '0x7130d2a12b9bcbfae4f2634d864a1ee1ce3ead9c'),
          token('BTC', 'ETH', '0x9be89d2a4cd102d8fecc6bf9da793be995c22541'),
          token('ETH', 'BSC', ''),
        ],
        bridged: [token('USDC', 'ARBITRUM', '0xff970a61a04b1ca14834a43f5de4533ebddb5cc8')],
        contractless: [token('USDT', 'ETH', ''), token('USDT', 'ETH', undefined)],
        unknown: [
          token('USDT', 'OPBNB', TETHER),
          network('BTC', 'Never seen'),
          // Binance: "1 1MBABYDOGE = 1000000 BABYDOGE". So on the chain, another amount arrives.
          token('1MBABYDOGE', 'ETH', '0xac57de9c1a09fec648e93eb98875b212db0d460b', { denomination: 1000000 }),
        ],
      },
      unreadable: [
        ...[null, {}, { ...BITCOIN, withdrawMin: 'a lot' }, { ...BITCOIN, withdrawIntegerMultiple: '0' }],
        { ...BITCOIN, withdrawTag: 'maybe' },
      ],
    },
  },
  orders: {
    route: route.place,
    accepted: json(PLACED),
    exchangeIds: ['100234'],
    signedForMs: 60_000,
    withoutId: [json({}), json([]), json({ ...PLACED, orderId: null }), json({ ...PLACED, clientOrderId: '' })],
    // Binance: "Orders with the same newClientOrderID can be accepted only when the previous one is filled".
    repeated: refusal(-2010, 400, 'Duplicate order sent.'),
    instruction: {
      exchangeSymbol: 'BTCUSDT',
      side: 'buy',
      type: 'limit',
      volume: Amount.of('2'),
      price: Amount.of('2.15'),
    },
    meaningOf: samples.binanceOrderMeaning,
    listing: (orders) => {
      const isMeant = (id: string | undefined, own: string | undefined) => (one: SampleOrder) =>
        id === undefined ? one.clientOrderId === own : one.exchangeId === id;
      return {
        [route.order]: ({ params: { orderId, origClientOrderId } }) => {
          const one = orders.find(isMeant(orderId, origClientOrderId));
          return one === undefined ? refusal(-2013) : json(samples.binanceOrder(one));
        },
        [route.trades]: ({ params: { orderId, fromId = '0' } }) =>
          // The documented sample of an order has one trade, which only the first page (`fromId` = 0) contains.
          json(
            orders
              .filter(isMeant(orderId, undefined))
              .flatMap(samples.binanceTrades)
              .filter(() => fromId === '0'),
          ),
      };
    },
    feeAsset: 'BNB',
  },
  deposits: {
    asset: 'BTC',
    methods: [{ exchangeMethodId: 'BTC', network: 'bitcoin' }],
    method: 'BTC',
    addresses: [{ address: ADDRESS.address, tag: null }],
    unsafe: { [route.address]: json({ ...ADDRESS, address: '0xD316E95Fd9E8E237Cb11f8200Babbc5D8D177BA4' }) },
  },
  history: {
    entry: samples.binanceTransfer,
    listing,
    endless: (kind, one) => ({ [route[kind]]: json(Array.from({ length: 1000 }, () => one)) }),
    pageSize: 1000,
    unitMs: 1000,
    windowDays: 90,
  },
};
