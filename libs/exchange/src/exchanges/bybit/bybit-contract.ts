import { createHmac } from 'node:crypto';
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
  type Meaning,
} from '../../testing/contract/documented.js';
import {
  json,
  type DocumentedCall,
  type ExchangeContract,
  type ListedEntry,
  type ParameterForm,
  type Reply,
  type SampleOrder,
} from '../../testing/contract/exchange-contract.js';
import type { ReceivedCall } from '../../testing/stub-exchange.js';
import { bybitAddress, bybitBalances, bybitChanges, bybitLimits, bybitTransfer } from './bybit-samples.js';
import { bybitNetworkEvidence, bybitOrder, bybitOrderMeaning } from './bybit-samples.js';
import { bybitOtherAccounts } from './bybit-accounts-contract.js';

/** Bybit as its documentation describes it, with the examples of bybit-exchange.github.io/docs/v5 (July 2026). */

const ok = (result: unknown): Reply =>
  json({ retCode: 0, retMsg: 'success', result, retExtInfo: {}, time: 1736394811459 });
const refusal = (retCode: number | string, retMsg = 'a text'): Reply =>
  json({ retCode, retMsg, result: {}, retExtInfo: {}, time: 1736394811459 });

const route = {
  key: 'GET /v5/user/query-api',
  funding: 'GET /v5/asset/transfer/query-account-coins-balance',
  unified: 'GET /v5/account/wallet-balance',
  coins: 'GET /v5/asset/coin/query-info',
  book: 'GET /v5/asset/withdraw/query-address',
  withdraw: 'POST /v5/asset/withdraw/create',
  withdrawal: 'GET /v5/asset/withdraw/query-record',
  deposit: 'GET /v5/asset/deposit/query-record',
  changes: 'GET /v5/asset/fundinghistory',
  addresses: 'GET /v5/asset/deposit/query-address',
  place: 'POST /v5/order/create',
  open: 'GET /v5/order/realtime',
  ended: 'GET /v5/order/history',
} as const;

/**
 * Bybit's page guide#create-a-request: HMAC SHA256 with the secret, in lower-case hexadecimal, of
 * "timestamp+api_key+recv_window+queryString", or with "+jsonBodyString" at the end.
 */
function signatureProblem(
  { headers, route: called, target, body }: ReceivedCall,
  { apiKey, apiSecret }: ExchangeContract['credentials'][number],
): string | null {
  const timestamp = String(headers['x-bapi-timestamp']);
  const signed = called.startsWith('GET ') ? (target.split('?')[1] ?? '') : body;
  const text = timestamp + apiKey.reveal() + String(headers['x-bapi-recv-window']) + signed;
  const sign = createHmac('sha256', apiSecret?.reveal() ?? '')
    .update(text)
    .digest('hex');
  if (headers['x-bapi-sign'] !== sign) return 'the signature is wrong';
  // Bybit: "the header for broker users only"
  if (headers['referer'] !== undefined) return 'the header of a broker';
  return /^\d{13}$/.test(timestamp) ? null : 'the time is not in milliseconds';
}

/** A coin with one chain (page asset/coin-info). The USDT sample is in ccxt: ts/src/test/static/response/bybit.json. */
const coin = (name: string, chain: string, contractAddress?: string, rest: object = {}) => ({
  name,
  coin: name,
  remainAmount: '50000000000',
  chains: [
    {
      chainType: chain,
      confirmation: '6',
      withdrawFee: '8',
      depositMin: '0',
      withdrawMin: '10',
      chain,
      chainDeposit: '1',
      chainWithdraw: '1',
      minAccuracy: '8',
      withdrawPercentageFee: '0',
      contractAddress,
      safeConfirmNumber: '65',
      withdrawMax: '10000000',
      ...rest,
    },
  ],
});
const TETHER = coin('USDT', 'ETH', '0xdac17f958d2ee523a2206206994597c13d831ec7');
const BITCOIN = coin('BTC', 'BTC', '', { withdrawFee: '0.0005', withdrawMin: '0.001', withdrawMax: '-1' });
const RIPPLE = coin('XRP', 'XRP', '', { withdrawFee: '0.1', minAccuracy: '6' });
/** Coins that the connector cannot withdraw: without a fee, with a fee in percent, and closed for withdrawals. */
const NOT_PAYABLE = [
  coin('SOL', 'SOL', '', { withdrawFee: '' }),
  coin('LTC', 'LTC', '', { withdrawPercentageFee: '0.022' }),
  coin('DOGE', 'DOGE', '', { chainWithdraw: '0' }),
];

/** Bybit's documentation: asset/withdraw/withdraw-address */
const RIPPLE_ADDRESS = 'rLHzPsX6oXkzU2qL12kHCH8G8cnZv1rBJh';
const TETHER_ADDRESS = '0x99ced129603abc771c0dabe935c326ff6c86645d';
const saved = [
  ['baseCoin', 'ETH', TETHER_ADDRESS, ''],
  ['XRP', 'XRP', RIPPLE_ADDRESS, '1000001'],
].map(([name, chain, address, tag]) => ({
  coin: name,
  chain,
  address,
  tag,
  remark: '',
  status: 0,
  addressType: 0,
  verified: 0,
  createdAt: '1760951195',
}));

const CURSOR = 'eyJtaW5JRCI6MTA1MDgsIm1heElEIjoxMDUwOX0=';
/** A page of saved addresses. As documented, only an empty page has an empty cursor. */
const savedPage = ({ params }: ReceivedCall): Reply => {
  const rows = params['cursor'] === undefined ? saved.filter(({ chain }) => chain === params['chain']) : [];
  return ok({ rows, nextPageCursor: rows.length === 0 ? '' : CURSOR });
};

/** Bybit's documentation: user/apikey-info */
const KEY = {
  id: '2208369',
  note: 'testnet',
  apiKey: 'XXXXXXXX',
  readOnly: 0,
  secret: '',
  permissions: { Spot: ['SpotTrade'], Wallet: ['AccountTransfer', 'Withdraw'], Options: [], NFT: [] },
  ips: ['18.181.170.164', '13.212.45.47'],
  type: 1,
  deadlineDay: -2,
  expiredAt: '1970-01-01T00:00:00Z',
  createdAt: '2025-10-13T03:20:45Z',
  uta: 1,
  userID: 1448939,
  isMaster: true,
  kycLevel: 'LEVEL_1',
  kycRegion: 'MYS',
};

/** Pages all-balance and wallet-balance. In the portfolio margin mode, some fields of wallet-balance are "". */
const FUNDING = { coin: 'USDC', transferBalance: '10.5', walletBalance: '12', bonus: '' };
const UNIFIED = [
  ['USDC', '3.31216591', '0', '1', '0', '0.3', '0.2'],
  ['BTC', '0.5', '0.7', '', '', '', '0'],
].map(([name, walletBalance, spotBorrow, locked, totalOrderIM, totalPositionIM, bonus]) => ({
  coin: name,
  walletBalance,
  spotBorrow,
  locked,
  totalOrderIM,
  totalPositionIM,
  bonus,
  availableToWithdraw: '',
  equity: walletBalance,
  usdValue: '0',
  unrealisedPnl: '0',
  marginCollateral: true,
}));
const unified = (coins: readonly unknown[]): Reply => ok({ list: [{ accountType: 'UNIFIED', coin: coins }] });

const ACCEPTED = { id: '10195' };
const PLACED = { orderId: '1321003749386327552', orderLinkId: 'spot-test-postonly' };

const paged: Record<string, ParameterForm> = { limit: 'integer?', cursor: 'text?' };
const records: Record<string, ParameterForm> = {
  coin: 'text?',
  txID: 'text?',
  startTime: 'integer?',
  endTime: 'integer?',
  ...paged,
};
const orderFilter: Record<string, ParameterForm> = {
  category: 'text',
  symbol: 'text?',
  baseCoin: 'text?',
  orderId: 'text?',
  orderLinkId: 'text?',
  ...paged,
};
const calls: Record<string, DocumentedCall> = {
  [route.key]: { parameters: {}, answer: ok(KEY) },
  [route.funding]: {
    parameters: { memberId: 'text?', accountType: 'text', coin: 'text?', withBonus: 'integer?' },
    answer: ok({ memberId: 'XXXX', accountType: 'FUND', balance: [FUNDING] }),
  },
  [route.unified]: { parameters: { accountType: 'text', coin: 'text?' }, answer: unified(UNIFIED) },
  [route.coins]: { parameters: { coin: 'text?' }, answer: ok({ rows: [TETHER, BITCOIN, RIPPLE, ...NOT_PAYABLE] }) },
  [route.book]: { parameters: { coin: 'text?', chain: 'text?', addressType: 'integer?', ...paged }, answer: savedPage },
  [route.withdraw]: {
    parameters: {
      coin: 'text',
      chain: 'text?',
      address: 'text',
      tag: 'text?',
      amount: 'decimal',
      timestamp: 'integer',
      forceChain: 'integer?',
      accountType: 'text',
      feeType: 'integer?',
      requestId: 'text?',
      transactionPurpose: 'text?',
      questionnaire: 'text?',
      beneficiary: 'object?',
    },
    answer: ok(ACCEPTED),
  },
  [route.withdrawal]: {
    parameters: { withdrawID: 'text?', withdrawType: 'integer?', ...records },
    answer: ok({ rows: null, nextPageCursor: '' }),
  },
  [route.deposit]: { parameters: { id: 'text?', ...records }, answer: ok({ rows: [], nextPageCursor: '' }) },
  // Our requests state no period.
  [route.changes]: { parameters: paged, answer: ok({ nextPageCursor: 'MTM3MTU3OTk=', list: bybitChanges }) },
  [route.addresses]: {
    parameters: { coin: 'text', chainType: 'text?' },
    answer: ok({ coin: 'BTC', chains: [bybitAddress] }),
  },
  [route.place]: {
    parameters: {
      category: 'text',
      symbol: 'text',
      isLeverage: 'integer?',
      side: 'text',
      orderType: 'text',
      qty: 'decimal',
      marketUnit: 'text?',
      price: 'decimal?',
      timeInForce: 'text?',
      orderLinkId: 'text?',
      orderFilter: 'text?',
    },
    answer: ok(PLACED),
  },
  [route.open]: { parameters: { ...orderFilter, openOnly: 'integer?' }, answer: ok({ list: [] }) },
  [route.ended]: {
    parameters: { ...orderFilter, orderStatus: 'text?', startTime: 'integer?', endTime: 'integer?' },
    answer: ok({ list: [] }),
  },
};

const noBalance = ifNew('WITHDRAWAL_INSUFFICIENT_BALANCE');
const notSaved = refused('WITHDRAWAL_INVALID_ADDRESS', 'address_not_allowlisted');
const onHold = ifNew('WITHDRAWAL_INVALID_ADDRESS', 'address_not_confirmed');
const above = (reason?: string): Meaning => ifNew('WITHDRAWAL_AMOUNT_ABOVE_MAXIMUM', reason);
const invalid = (reason: string): Meaning => order(refused('GENERIC_VALIDATION_ERROR', reason));

/** Bybit's page docs/v5/error: code, message, meaning. All come with HTTP 200. */
const documentedErrors: readonly (readonly [code: number, message: string, meaning: Meaning])[] = [
  [-1, 'request expired: o@0, now[] diff[]', all(fault)],
  [429, 'The trading service is experiencing a high server load.', all(fault)],
  [-2015, '(Spot) Your api key has expired', all({ grade: 'credentials', reason: 'expired' })],
  // A recorded response: github.com/ccxt/ccxt/pull/10436
  [
    -2015,
    'Invalid API-key, IP, or permissions for action.',
    all({ grade: 'permission', reason: 'key_ip_or_permission' }),
  ],
  [10002, 'The request time exceeds the time window range.', all(fault)],
  [10003, 'API key is invalid.', all({ grade: 'credentials' })],
  [10004, 'Error sign', all({ grade: 'credentials', isDefinite: true, reason: 'invalid_signature' })],
  [10005, 'Permission denied, please check your API key permissions.', all({ grade: 'permission', isDefinite: true })],
  [10006, 'Too many visits. Exceeded the API Rate Limit.', all({ grade: 'pause' })],
  [10008, 'Common banned, please check your account mode', all(ifNew(undefined, 'account_locked'))],
  [10010, "Unmatched IP, please check your API key's bound IP addresses.", all({ grade: 'ip_not_allowed' })],
  [10014, 'Invalid duplicate request.', all(fault)],
  [10016, 'Server error.', all(fault)],
  [10001, 'Request parameter error', ifNew(undefined, 'invalid_arguments')],
  [10001, 'Request parameter error', order(ifNew(undefined, 'invalid_arguments'))],
  [131001, 'openapi svc error', fault],
  // Bybit's page faq#why-is-my-balance-sufficient-but-withdrawal-or-transfer-requests-report-insufficient-balance
  [131001, 'Withdrawal amount is greater than your available balance (10 USDT)', noBalance],
  [131002, 'Parameter error', ifNew(undefined, 'invalid_arguments')],
  [131002, 'Withdraw address chain or destination tag are not equal', refused('WITHDRAWAL_INVALID_ADDRESS')],
  [131004, 'KYC needed', ifNew('WITHDRAWAL_KYC_REQUIRED')],
  [131065, 'Your KYC information is incomplete', ifNew('WITHDRAWAL_KYC_REQUIRED')],
  [131067, 'Travel rule verification failed', ifNew(undefined, 'travel_rule')],
  [131068, 'Travel rule information is insufficient', ifNew(undefined, 'travel_rule')],
  [131074, 'Beneficiary info is required', refused(undefined, 'travel_rule')],
  [131081, 'Do not input memo/tag,please.', refused('WITHDRAWAL_INVALID_ADDRESS', 'tag_not_supported')],
  [131082, 'Do not repeat the request', fault],
  [131083, 'Withdraw only allowed from address book', notSaved],
  [131085, 'Withdrawal amount is greater than your availale balance', noBalance],
  [131088, 'The withdrawal amount exceeds the remaining withdrawal limit', above()],
  [131089, 'User sensitive operation, withdrawal is prohibited', ifNew(undefined, 'security_hold')],
  [131090, 'User withdraw has been banned', ifNew(undefined, 'account_locked')],
  [131093, 'The withdrawal address is not in the whitelist', notSaved],
  [131095, 'Withdrawl amount exceeds the 24 hour platform limit', above('daily_limit')],
  [131096, 'Withdraw amount does not satify the lower limit or upper limit', ifNew(undefined, 'amount_out_of_bounds')],
  [131097, 'Withdrawal of this currency has been closed', ifNew(undefined, 'withdrawals_disabled')],
  [131098, 'Withdrawal currently is not availble from new address', onHold],
  [131210, 'Amount accuracy error', refused(undefined, 'amount_not_representable')],
  [131212, 'Insufficient balance', noBalance],
  [170007, 'Timeout waiting for response from backend server.', order(fault)],
  [170121, 'Invalid symbol.', order(refused('TRADING_ROUTE_NOT_FOUND'))],
  [170124, 'Order amount too large.', order(ifNew('GENERIC_VALIDATION_ERROR', 'above_maximum_volume'))],
  [170131, 'Balance insufficient', order(ifNew('GENERIC_INVALID_REQUEST', 'insufficient_balance'))],
  [170134, 'Order price decimal too long.', invalid('invalid_tick_size')],
  [170136, 'Order quantity lower than the minimum.', invalid('below_minimum_volume')],
  [170137, 'Order volume decimal too long', invalid('invalid_volume')],
  [170141, 'Duplicate clientOrderId', order(fault)],
  [170222, 'Too many requests in this time frame.', order({ grade: 'pause' })],
];

const DAYS_30_MS = 30 * 86_400_000;

/** Bybit: "… should be less than 30 days". Periods of deposits are in whole seconds. A full page has 50 records. */
function listing(kind: HistoryKind, entries: readonly ListedEntry[]): Record<string, DocumentedCall['answer']> {
  const unitMs = kind === 'deposit' ? 1000 : 1;
  const unitOf = (ms: number): number => Math.floor(ms / unitMs);
  return {
    [route[kind]]: ({ params }) => {
      const end = Number(params['endTime'] ?? Date.now());
      const start = Number(params['startTime'] ?? end - DAYS_30_MS + 1);
      if ((unitOf(end) - unitOf(start)) * unitMs >= DAYS_30_MS) return refusal(131002, 'Parameter error');
      const found = newestIn(entries, unitOf(start) * unitMs, (unitOf(end) + 1) * unitMs - 1).filter(
        ({ id }) => id === (params['withdrawID'] ?? params['id'] ?? id),
      );
      const [from, limit] = [Number(params['cursor'] ?? 0), Number(params['limit'] ?? 50)];
      const rows = found.slice(from, from + limit).map((one) => one.entry);
      // In the documented samples, the last page has a cursor, too.
      return ok({ rows, nextPageCursor: rows.length === 0 ? '' : String(from + rows.length) });
    },
  };
}

/** Bybit's page order/open-order lists orders that have not ended, and order/order-list lists ended orders. */
function orderListing(orders: readonly SampleOrder[]): Record<string, DocumentedCall['answer']> {
  const select =
    (hasEnded: boolean): DocumentedCall['answer'] =>
    ({ params: { orderId, orderLinkId } }) => {
      const list = orders
        .filter(({ state }) => (state === 'filled' || state === 'canceled') === hasEnded)
        .filter(({ exchangeId }) => orderId === undefined || exchangeId === orderId)
        .filter(({ clientOrderId }) => orderLinkId === undefined || clientOrderId === orderLinkId);
      return ok({ list: list.slice(0, 50).map(bybitOrder), nextPageCursor: '', category: 'spot' });
    };
  return { [route.open]: select(false), [route.ended]: select(true) };
}

const FEE = Amount.of('8');

/** Bybit's documentation, as data for the contract suite. */
export const bybitContract: ExchangeContract = {
  credentials: accountsWith('apiSecret'),
  noncesMustRise: false,
  signature: {
    keyOf: ({ headers }) => (headers['x-bapi-api-key'] as string | undefined) ?? null,
    check: () => signatureProblem,
  },
  calls,
  refusals: documentedErrors.map(([code, message, meaning]) => ({
    ...meaning,
    name: `${code} ${message}`,
    reply: refusal(code, message),
  })),
  unlisted: [refusal(131999), refusal(1), refusal('toString'), refusal(170213, 'Order does not exist.')],
  repeatsAreRefusedFirst: null,
  limits: bybitLimits,
  networkEvidence: bybitNetworkEvidence,
  balances: {
    expected: bybitBalances,
    unreadable: { [route.unified]: unified([...UNIFIED, { ...UNIFIED[0], coin: 'ETH', walletBalance: 'much' }]) },
  },
  otherAccounts: bybitOtherAccounts,
  keyInfo: {
    route: route.key,
    ofSecond: ok({ ...KEY, userID: 24617703 }),
    expected: {
      permissions: ['SpotTrade', 'AccountTransfer', 'Withdraw'],
      ipAllowlist: ['18.181.170.164', '13.212.45.47'],
      validUntil: null,
      lastUsed: null,
      createdTime: 1760325645,
      modifiedTime: null,
    },
    least: {
      // Bybit: "1: Read only". The permissions of such a key allow only reading.
      reply: ok({ ...KEY, readOnly: 1, ips: ['*'], expiredAt: '2026-12-01T00:00:00Z', createdAt: undefined }),
      expected: {
        permissions: ['readOnly'],
        ipAllowlist: [],
        validUntil: 1796083200,
        lastUsed: null,
        createdTime: null,
        modifiedTime: null,
      },
    },
  },
  withdrawals: {
    route: route.withdraw,
    accepted: ok(ACCEPTED),
    exchangeIds: ['10195'],
    withoutId: [ok({}), ok(null), ok({ id: '' }), json({ retCode: 0, retMsg: 'success' }), json({ result: ACCEPTED })],
    // The documentation names no error for a repeated `requestId`, so this is the error for duplicate requests.
    repeated: refusal(10014, 'Invalid duplicate request.'),
    instruction: {
      asset: 'USDT',
      network: 'ethereum',
      address: TETHER_ADDRESS,
      tag: null,
      clientRef: 'ab12',
      amountNoFee: Amount.of('24'),
      fee: FEE,
      amountWithFee: Amount.of('32'),
    },
    tagged: {
      asset: 'XRP',
      network: 'ripple',
      address: RIPPLE_ADDRESS,
      tag: '1000001',
      clientRef: 'cd34',
      amountNoFee: Amount.of('100'),
      fee: Amount.of('0.1'),
      amountWithFee: Amount.of('100.1'),
    },
    // Bybit: "feeType 0 (default): input amount is the actual amount received"
    amountIs: 'net',
    meaningOf: ({ json: sent }) => {
      const { coin: asset = '', address = '', tag = null, amount = '' } = sent as Record<string, string>;
      const { forceChain, feeType = 0, accountType } = sent as Record<string, unknown>;
      const isOnChainAndNet = forceChain === 1 && feeType === 0 && accountType === 'FUND';
      return { asset, address, tag, amount: isOnChainAndNet ? amount : `another kind of withdrawal of ${amount}` };
    },
    networks: {
      expected: [
        ['USDT', 'ethereum', '0xdAC17F958D2ee523a2206206994597C13D831ec7'],
        ['BTC', 'bitcoin', null],
        ['XRP', 'ripple', null],
      ],
      listing: (rows) => ({ [route.coins]: ok({ rows }) }),
      good: BITCOIN,
      traps: {
        wrapped: [
          coin('BTC', 'ETH', '0x2260fac5e5542a773aa44fbcfedf7c193bc2c599'),
          coin('BTC', 'BSC', '0x7130d2a12b9bcbfae4f2634d864a1ee1ce3ead9c'),
          coin('ETH', 'BSC', ''),
        ],
        // The contract is that of USDC.e on Arbitrum, and not that of USDC.
        bridged: [coin('USDC', 'ARBI', '0xff970a61a04b1ca14834a43f5de4533ebddb5cc8')],
        contractless: [coin('USDT', 'ETH', ''), coin('USDT', 'ETH')],
        unknown: [coin('USDT', 'KAVAEVM', '0x919c1c267bc06a7039e03fcc2ef738525769109c'), coin('MNT', 'MANTLE', '')],
      },
      unreadable: [null, {}, coin('BTC', 'BTC', '', { withdrawMin: 'a lot' }), { coin: 'BTC', chains: [null] }],
    },
  },
  orders: {
    route: route.place,
    // "Integration guidance": "server_time - recv_window <= timestamp"
    signedForMs: 5_000,
    windowOf: ({ headers }) => Number(headers['x-bapi-recv-window']),
    accepted: ok(PLACED),
    exchangeIds: [PLACED.orderId],
    withoutId: [ok({}), ok(null), ok({ ...PLACED, orderId: '' }), json({ result: PLACED })],
    repeated: refusal(170141, 'Duplicate clientOrderId'),
    instruction: {
      exchangeSymbol: 'BTCUSDT',
      side: 'buy',
      type: 'limit',
      volume: Amount.of('0.1'),
      price: Amount.of('15600'),
    },
    meaningOf: bybitOrderMeaning,
    listing: orderListing,
    feeAsset: 'BTC',
  },
  deposits: {
    asset: 'BTC',
    methods: [{ exchangeMethodId: 'BTC', network: 'bitcoin' }],
    method: 'BTC',
    addresses: [{ address: bybitAddress.addressDeposit, tag: null }],
    unsafe: { [route.addresses]: ok({ chains: [{ ...bybitAddress, addressDeposit: TETHER_ADDRESS }] }) },
  },
  history: {
    entry: bybitTransfer,
    // The documentation does not state whether the amount contains the fee, so the connector reports no fee.
    reportsNoFees: true,
    listing,
    endless: (kind, one) => ({ [route[kind]]: ok({ rows: [one], nextPageCursor: CURSOR }) }),
    pageSize: 50,
    unitMs: 1,
    windowDays: 30,
  },
};
