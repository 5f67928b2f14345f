import { createHash, createHmac } from 'node:crypto';
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
  tether,
  UndocumentedRequest,
  sideIn,
  typeIn,
  type Meaning,
} from '../../testing/contract/documented.js';
import {
  json,
  type DocumentedCall,
  type ExchangeContract,
  type ListedEntry,
  type Reply,
  type SampleOrder,
  type SampleRecord,
} from '../../testing/contract/exchange-contract.js';
import type { ReceivedCall } from '../../testing/stub-exchange.js';
import { gateOtherAccounts } from './gate-accounts-contract.js';

/**
 * Gate as its documentation describes it: www.gate.com/docs/developers/apiv4 (June 2026). The responses repeat the
 * documented examples.
 */

const route = {
  key: 'GET /api/v4/account/detail',
  accounts: 'GET /api/v4/spot/accounts',
  currencies: 'GET /api/v4/spot/currencies',
  withdrawal: 'GET /api/v4/wallet/withdrawals',
  deposit: 'GET /api/v4/wallet/deposits',
  address: 'GET /api/v4/wallet/deposit_address',
  place: 'POST /api/v4/spot/orders',
  order: 'GET /api/v4/spot/orders/{order_id}',
  orders: 'GET /api/v4/spot/orders',
} as const;

/**
 * Returns what is wrong with the signature; null = nothing. Gate's documentation, #api-signature-string-generation:
 * "Request Method + "\n" + Request URL + "\n" + Query String + "\n" + HexEncode(SHA512(Request Payload)) + "\n" +
 * Timestamp" by HMAC SHA512 with the secret, in hexadecimal digits.
 */
function signatureProblem(
  { headers, route: called, target, body }: ReceivedCall,
  { apiSecret }: ExchangeContract['credentials'][number],
): string | null {
  const [method = ''] = called.split(' ');
  const [url = '', query = ''] = target.split('?');
  const timestamp = String(headers['timestamp']);
  const text = [method, url, query, createHash('sha512').update(body).digest('hex'), timestamp].join('\n');
  const hmac = createHmac('sha512', apiSecret?.reveal() ?? '');
  if (headers['sign'] !== hmac.update(text).digest('hex')) return 'the signature is wrong';
  if (headers['x-gate-channel-id'] !== undefined) return 'a broker is named';
  return /^\d{10}$/.test(timestamp) ? null : 'the time is not in seconds';
}

/** Gate's documentation, spot: "Query all currency information" */
const chain = (name: string, addr = '', rest: object = {}) => ({
  name,
  addr,
  withdraw_disabled: false,
  withdraw_delayed: false,
  deposit_disabled: false,
  ...rest,
});
const currency = (id: string, ...chains: unknown[]) => ({
  currency: id,
  name: id,
  delisted: false,
  withdraw_disabled: false,
  withdraw_delayed: false,
  deposit_disabled: false,
  trade_disabled: false,
  chain: id,
  chains,
  total_supply: '2100000',
  category: [],
});
const CURRENCIES = [
  currency('GT', chain('GT'), chain('ETH', '0xE66747a101bFF2dBA3697199DCcE5b743b454759'), chain('GTEVM')),
  currency(
    'USDT',
    chain('TRX', 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t'),
    chain('OKT', '0x382bb369d343125bfb2117af9c149795c6c65c50'),
  ),
];

/**
 * Gate's documentation, wallet: "Generate currency deposit address", with the address of "Query withdrawal address
 * whitelist".
 */
const TRON = 'TWYirLzw2RARB2jfeFcfRPmeuU3rC7rakT';
const onChain = (name: string, address: string, obtain_failed = 0) => ({
  chain: name,
  address,
  payment_id: '',
  payment_name: '',
  obtain_failed,
  min_confirms: 1,
});
const addresses = (...multichain_addresses: unknown[]): Reply =>
  json({ currency: 'USDT', address: TRON, multichain_addresses, min_deposit_amount: '0.000006' });

/** Gate's documentation, spot: "List spot trading accounts" */
const ACCOUNT = { currency: 'ETH', available: '968.8', locked: '0.2', update_id: 98 };
/** Gate's documentation, account: "Retrieve user account information" */
const KEY = {
  user_id: 1667201533,
  ip_whitelist: ['127.0.0.1', '127.0.0.2'],
  currency_pairs: ['USDT_BTC'],
  key: { mode: 1 },
  tier: 2,
  copy_trading_role: 1,
};
/** Gate's documentation, spot: "Create an order", the full response to a limit order */
const PLACED = {
  id: '1852454420',
  text: 't-abc123',
  amend_text: '-',
  create_time: '1710488334',
  update_time: '1710488334',
  create_time_ms: 1710488334073,
  update_time_ms: 1710488334074,
  status: 'closed',
  currency_pair: 'BTC_USDT',
  type: 'limit',
  account: 'spot',
  side: 'buy',
  amount: '0.001',
  price: '65000',
  time_in_force: 'gtc',
  iceberg: '0',
  left: '0',
  filled_amount: '0.001',
  fill_price: '63.4693',
  filled_total: '63.4693',
  avg_deal_price: '63469.3',
  fee: '0.00000022',
  fee_currency: 'BTC',
  point_fee: '0',
  gt_fee: '0',
};

const page: DocumentedCall['parameters'] = {
  currency: 'text?',
  from: 'integer?',
  to: 'integer?',
  limit: 'integer?',
  offset: 'integer?',
};
const calls: Record<string, DocumentedCall> = {
  [route.key]: { parameters: {}, answer: json(KEY) },
  [route.accounts]: { parameters: { currency: 'text?' }, answer: json([ACCOUNT]) },
  [route.currencies]: { parameters: {}, answer: json(CURRENCIES), isPublic: true },
  [route.withdrawal]: {
    parameters: { ...page, withdraw_id: 'text?', withdraw_order_id: 'text?', asset_class: 'text?' },
    answer: json([]),
  },
  [route.deposit]: { parameters: page, answer: json([]) },
  [route.address]: { parameters: { currency: 'text' }, answer: addresses(onChain('TRX', TRON), onChain('ETH', '', 1)) },
  [route.place]: {
    parameters: {
      text: 'text?',
      currency_pair: 'text',
      type: 'text?',
      account: 'text?',
      side: 'text',
      amount: 'decimal',
      price: 'decimal?',
      time_in_force: 'text?',
      iceberg: 'text?',
      stp_act: 'text?',
      action_mode: 'text?',
    },
    answer: json(PLACED, 201),
  },
  [route.order]: { parameters: { currency_pair: 'text', account: 'text?' }, answer: refusal('ORDER_NOT_FOUND') },
  [route.orders]: {
    parameters: {
      currency_pair: 'text',
      status: 'text',
      page: 'integer?',
      limit: 'integer?',
      account: 'text?',
      from: 'integer?',
      to: 'integer?',
      side: 'text?',
    },
    answer: json([]),
  },
};

/**
 * Gate's documentation, #error-handling: "APIv4 will return non-2xx status code, with a response body in JSON format"
 */
function refusal(label: string, status = 400): Reply {
  return json({ label, message: 'a text' }, status);
}

const args = 'invalid_arguments';

/**
 * Gate's documentation, #label-list: labels, their meaning and HTTP status (default: 400). The comments quote the
 * documented explanations.
 */
const documentedErrors: readonly (readonly [labels: string, meaning: Meaning, status?: number])[] = [
  // "Missing required parameter", "Invalid request body", "Invalid `Content-Type` header", "Invalid `Accept-` Header"
  ['MISSING_REQUIRED_PARAM INVALID_REQUEST_BODY INVALID_CONTENT_TYPE NOT_ACCEPTABLE', all(refused(undefined, args))],
  // "Missing required authentication header"
  ['MISSING_REQUIRED_HEADER', all(refused(undefined, args)), 401],
  // "Invalid parameter value", "Invalid argument", "Invalid request"
  ['INVALID_PARAM_VALUE INVALID_PROTOCOL INVALID_ARGUMENT BAD_REQUEST', all(ifNew(undefined, args))],
  // "Invalid credentials provided", "Invalid API Key"
  ['INVALID_CREDENTIALS INVALID_KEY', all({ grade: 'credentials' }), 401],
  ['INVALID_SIGNATURE', all({ grade: 'credentials', isDefinite: true, reason: 'invalid_signature' }), 401],
  // "Request IP not in whitelist"
  ['IP_FORBIDDEN', all({ grade: 'ip_not_allowed' }), 403],
  // "API key is read-only"
  ['READ_ONLY', all({ grade: 'permission', isDefinite: true }), 403],
  // "Account has no permission to request operation"
  ['FORBIDDEN', all({ grade: 'permission' }), 403],
  // "Request `Timestamp` is far from the server time"
  ['REQUEST_EXPIRED', all(fault), 403],
  ['ACCOUNT_LOCKED SUB_ACCOUNT_LOCKED ACCOUNT_EXCEPTION', all(ifNew(undefined, 'account_locked')), 403],
  ['TOO_MANY_REQUESTS TOO_FAST', all({ grade: 'pause' }), 429],
  // "Internal server error", "Server is too busy at the moment"
  ['INTERNAL SERVER_ERROR INTERNAL_SERVER_ERROR', all(fault), 500],
  ['TOO_BUSY', all(fault), 503],
  // "Duplicate request", "Order already exists, do not resubmit", "Repeated creation"
  ['DUPLICATE_REQUEST ORDER_EXISTS REPEATED_CREATION', order(fault)],
  ['ORDER_NOT_FOUND', ifNew('TRADING_ORDER_NOT_FOUND'), 404],
  ['INVALID_CURRENCY INVALID_CURRENCY_PAIR', order(refused('TRADING_ROUTE_NOT_FOUND'))],
  ['INVALID_CLIENT_ORDER_ID', order(refused(undefined, args))],
  ['INVALID_PRECISION', order(refused('GENERIC_VALIDATION_ERROR', 'invalid_precision'))],
  // "Amount does not reach minimum required", "Amount exceeds maximum allowed"
  ['AMOUNT_TOO_LITTLE', order(refused('GENERIC_VALIDATION_ERROR', 'below_minimum_volume'))],
  ['AMOUNT_TOO_MUCH', order(refused('GENERIC_VALIDATION_ERROR', 'above_maximum_volume'))],
  ['BALANCE_NOT_ENOUGH', order(ifNew('GENERIC_INVALID_REQUEST', 'insufficient_balance'))],
  ['TOO_MANY_ORDERS', order(ifNew('GENERIC_INVALID_REQUEST', 'too_many_open_orders'))],
  // "Trading is restricted due to high debt ratio"
  ['TRADE_RESTRICTED', order(ifNew(undefined, 'account_not_permitted'))],
];

/** Gate's documentation, wallet: "Get withdrawal records", "Get deposit records" */
const states = {
  withdrawal: { pending: 'EXTPEND', completed: 'DONE', failed: 'REJECT', 'unheard of': 'NEVER' },
  deposit: { pending: 'TRACK', completed: 'DONE', failed: 'INVALID', 'unheard of': 'NEVER' },
} as const;

function entry(kind: HistoryKind, { id, at, asset, address, tag, net, fee, clientRef, state }: SampleRecord): object {
  return {
    id,
    currency: asset,
    address,
    amount: net.plus(fee).toString(),
    txid: 'aa',
    chain: 'TRX',
    memo: tag ?? '',
    timestamp: String(at.getTime() / 1000),
    status: states[kind][state],
    ...(kind === 'withdrawal' && { fee: fee.toString(), withdraw_order_id: clientRef ?? '', block_number: '1000' }),
  };
}

/** Gate: "Record query time range cannot exceed 30 days"; for `offset`: "List offset, starting from 0". */
const PERIOD_MAX = 30 * 86_400;

function listing(kind: HistoryKind, entries: readonly ListedEntry[]): Record<string, DocumentedCall['answer']> {
  return {
    [route[kind]]: ({ params }) => {
      const [from, to] = [Number(params['from']), Number(params['to'])];
      if (to - from > PERIOD_MAX) return refusal('INVALID_PARAM_VALUE');
      const [offset, limit] = [Number(params['offset'] ?? 0), Number(params['limit'] ?? 100)];
      const found = newestIn(entries, from * 1000, to * 1000);
      return json(found.slice(offset, offset + limit).map((one) => one.entry));
    },
  };
}

const orderStatuses = {
  open: 'open',
  'partly executed': 'open',
  filled: 'closed',
  canceled: 'cancelled',
  'unheard of': 'never_seen',
} as const;

/** Gate's documentation, spot: "Query single order details" */
function orderOf({ exchangeId: id, clientOrderId: text, at, state, volume, executed, ...rest }: SampleOrder): object {
  const { averagePrice, fee, feeAsset, limitPrice: price, side } = rest;
  return {
    ...PLACED,
    id,
    text,
    status: orderStatuses[state],
    side,
    amount: volume,
    price,
    fee,
    // Samples of April 2024 and before have `left`, but no `filled_amount`. In this listing, an open order
    // has the form of such a sample.
    left: Amount.of(volume).minus(Amount.of(executed)).toString(),
    filled_amount: state === 'open' ? undefined : executed,
    filled_total: Amount.of(executed).times(Amount.of(averagePrice)).toString(),
    avg_deal_price: averagePrice,
    fee_currency: feeAsset,
    create_time_ms: at.getTime(),
    update_time_ms: at.getTime() + 1,
  };
}

const hasEnded = ({ state }: SampleOrder): boolean => state === 'filled' || state === 'canceled';

/** Gate: "Operations based on custom IDs can only be checked in pending orders." */
function orderListing(orders: readonly SampleOrder[]): Record<string, DocumentedCall['answer']> {
  return {
    [route.order]: ({ endpoint }) => {
      const isFound = (one: SampleOrder): boolean =>
        one.exchangeId === endpoint || (one.clientOrderId === endpoint && !hasEnded(one));
      const found = orders.find(isFound);
      return found === undefined ? refusal('ORDER_NOT_FOUND', 404) : json(orderOf(found));
    },
    [route.orders]: ({ params }) => {
      if (params['status'] !== 'finished') return refusal('INVALID_PARAM_VALUE');
      const [number, limit] = [Number(params['page'] ?? 1), Number(params['limit'] ?? 100)];
      const found = orders.filter((one) => hasEnded(one) && one.at.getTime() >= Number(params['from'] ?? 0) * 1000);
      return json(found.slice((number - 1) * limit, number * limit).map(orderOf));
    },
  };
}

/**
 * Gate lists the contract of a token beside the name of a chain. The contracts of USDT are those that ccxt 4.5.84 has
 * recorded (gate.js, `fetchCurrencies`). ETH has none, and a recorded list has all these names for ETH (knowm/XChange,
 * api_v4_spot_currencies.json at b66a7e4). The titles are what a program that reads Gate's list calls the chains
 * (github.com/CatalogInfo/ParserBackend, GateMapper.java at 6a1327c).
 */
const networkEvidence = {
  ETH: tether('0xdac17f958d2ee523a2206206994597c13d831ec7'),
  BSC: tether('0x55d398326f99059ff775485246999027b3197955'),
  ARBEVM: { title: 'ARBITRUM', ...tether('0xfd086bc7cd5c481dcc9c85ebe478a1c0b69fcbb9') },
  OPETH: { title: 'OPTIMISM' },
  BASEEVM: { title: 'BASE' },
  LINEAETH: { title: 'LINEA' },
  ZKSERA: { title: 'ZKSYNCERA' },
  AVAX_C: { title: 'AVAXC' },
};

const unreported = { permissions: [], validUntil: null, lastUsed: null, createdTime: null, modifiedTime: null };

/** Gate's documentation, as data for the contract suite. */
export const gateContract: ExchangeContract = {
  credentials: accountsWith('apiSecret'),
  noncesMustRise: false,
  signature: { keyOf: ({ headers }) => (headers['key'] as string | undefined) ?? null, check: () => signatureProblem },
  calls,
  refusals: documentedErrors.flatMap(([labels, meaning, status = 400]) =>
    labels.split(' ').map((label) => ({ ...meaning, name: label, reply: refusal(label, status) })),
  ),
  unlisted: [
    refusal('POC_FILL_IMMEDIATELY'),
    refusal('toString'),
    json({ label: 7 }, 400),
    refusal('INVALID_KEY', 200),
  ],
  repeatsAreRefusedFirst: null,
  limits: [
    { headers: { 'X-Gate-RateLimit-Requests-Remain': '0' }, of: 'endpoint', pauseMs: 10_000 },
    { reply: refusal('TOO_MANY_REQUESTS', 429), of: 'endpoint', pauseMs: 1_000 },
  ],
  networkEvidence,
  balances: {
    expected: [{ asset: 'ETH', free: '968.8', used: '0.2', total: '969', withdrawable: '968.8' }],
    unreadable: { [route.accounts]: json([ACCOUNT, { ...ACCOUNT, currency: 'BTC', locked: 'much' }]) },
  },
  otherAccounts: gateOtherAccounts,
  keyInfo: {
    route: route.key,
    expected: { ...unreported, ipAllowlist: ['127.0.0.1', '127.0.0.2'] },
    least: { reply: json({ user_id: 1667201533 }), expected: { ...unreported, ipAllowlist: [] } },
  },
  orders: {
    route: route.place,
    // "gap between its value and current time cannot exceed 60 seconds"
    signedForMs: 60_000,
    accepted: json(PLACED, 201),
    exchangeIds: [PLACED.id],
    withoutId: [json({}, 201), json({ ...PLACED, id: '' }, 201), json({ ...PLACED, id: null }, 201), json([], 201)],
    repeated: refusal('ORDER_EXISTS'),
    instruction: {
      exchangeSymbol: 'BTC_USDT',
      side: 'buy',
      type: 'limit',
      volume: Amount.of('0.001'),
      price: Amount.of('65000'),
    },
    meaningOf: ({ json: sent }) => {
      const { currency_pair: pair = '', amount: volume = '', price = null, ...rest } = sent as Record<string, string>;
      if (rest['account'] !== 'spot') throw new UndocumentedRequest('the order is not of the spot account');
      return { pair, side: sideIn(rest['side']), type: typeIn(rest['type'], { limit: 'limit' }), volume, price };
    },
    // Gate: the amount of a market order to buy is in the quote currency.
    limitOnly: true,
    listing: orderListing,
    feeAsset: 'USDT',
  },
  deposits: {
    asset: 'USDT',
    methods: [{ exchangeMethodId: 'TRX', network: 'tron' }],
    method: 'TRX',
    addresses: [{ address: TRON, tag: null }],
    unsafe: { [route.address]: addresses(onChain('TRX', '0x551e823a3b36865e8c5dc6e6ac6cc0b00d98533e')) },
  },
  history: {
    entry,
    listing,
    endless: (kind, one) => ({ [route[kind]]: json(Array.from({ length: 100 }, () => one)) }),
    sample: {
      asset: 'USDT',
      network: 'tron',
      address: TRON,
      tag: null,
      net: Amount.of('4.023'),
      fee: Amount.zero,
      clientRef: '202504211521368538928',
    },
    pageSize: 100,
    unitMs: 1000,
    windowDays: 30,
  },
};
