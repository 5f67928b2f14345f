import { createHmac } from 'node:crypto';
import { Amount } from '#money';
import type { HistoryKind } from '../../port/exchange.port.js';
import { textsOf } from '../../testing/contract/contract-stub.js';
import {
  accountsWith,
  all,
  fault,
  ifNew,
  order,
  refused,
  sideIn,
  typeIn,
  type Meaning,
} from '../../testing/contract/documented.js';
import {
  json,
  type Answer,
  type DocumentedCall,
  type ExchangeContract,
  type ListedEntry,
  type Reply,
  type SampleOrder,
  type SampleRecord,
} from '../../testing/contract/exchange-contract.js';
import type { ReceivedCall } from '../../testing/stub-exchange.js';
import { geminiOtherAccounts } from './gemini-accounts-contract.js';

/**
 * Gemini as its documentation describes it: developer.gemini.com/rest and its OpenAPI description, of which
 * github.com/api-evangelist/gemini-trust (openapi, September 2026) is a copy.
 */

const route = {
  balances: 'POST /v1/balances',
  roles: 'POST /v1/roles',
  assets: 'GET /v2/networks/{network}/assets',
  addresses: 'POST /v1/addresses/{network}',
  newAddress: 'POST /v1/deposit/{network}/newAddress',
  transfers: 'POST /v2/transfers',
  place: 'POST /v1/order/new',
  order: 'POST /v1/order/status',
} as const;

const headerOf = ({ headers }: ReceivedCall, name: string): string => String(headers[name] ?? '');

/** The JSON in the header with the payload; the text `null` = the header is missing. */
const payloadOf = (call: ReceivedCall): string =>
  Buffer.from(headerOf(call, 'x-gemini-payload'), 'base64').toString() || 'null';

/**
 * Returns what is wrong with the signature; null = nothing. developer.gemini.com/authentication/api-key:
 * `X-GEMINI-SIGNATURE` is the hexadecimal HMAC-SHA384 of the base64 text of the payload, which contains the path and a
 * nonce above all earlier nonces of the key. The body is empty.
 */
function signatureProblem(
  call: ReceivedCall,
  { apiSecret }: ExchangeContract['credentials'][number],
  last: Map<string, number>,
): string | null {
  const signature = createHmac('sha384', apiSecret?.reveal() ?? '')
    .update(headerOf(call, 'x-gemini-payload'))
    .digest('hex');
  if (headerOf(call, 'x-gemini-signature') !== signature) return 'the signature is wrong';
  const { request, nonce } = call.json as { request?: unknown; nonce?: unknown };
  if (request !== call.target) return 'the payload is for another path';
  if (headerOf(call, 'content-type') !== 'text/plain') return 'the content type is wrong';
  if (headerOf(call, 'cache-control') !== 'no-cache') return 'the request may be cached';
  if (Number(call.headers['content-length'] ?? 0) !== 0) return 'the body is not empty';
  const key = headerOf(call, 'x-gemini-apikey');
  if (typeof nonce !== 'number' || nonce <= (last.get(key) ?? 0)) return 'the nonce is not above the earlier ones';
  last.set(key, nonce);
  return null;
}

/** Gemini's documentation: "Get Available Balances", with an amount on hold */
const balance = (currency: string, amount: string, available: string, availableForWithdrawal: string) => ({
  type: 'exchange',
  currency,
  amount,
  available,
  availableForWithdrawal,
  pendingWithdrawal: '0',
  pendingDeposit: '0',
  _timestamp: '2024-03-16T00:00:00.000000Z',
});
const BALANCES = [
  balance('BTC', '5.0', '4.5', '4.5'),
  balance('USD', '15000', '5000', '4000.25'),
  balance('ETH', '0', '0', '0'),
];

/** Gemini's documentation: "Roles Endpoint", "Account-scoped key" */
const ROLES = { isAuditor: false, isFundManager: true, isTrader: true };

/** Gemini's documentation: "Get Assets for Network". BTC on Ethereum is a wrapped coin, which is not offered. */
const ASSETS: Readonly<Record<string, readonly unknown[]>> = {
  bitcoin: ['BTC'],
  ethereum: ['AAVE', 'BTC', 'ETH', 'LINK', 'UNI', 'USDC', 5],
  solana: ['BONK', 'SOL', 'USDC'],
};
const NO_ASSETS = {
  errorMessage:
    "Supplied value 'foochain' is not a supported network. Please refer to the Supported Networks section at " +
    'docs.gemini.com and correct your API request.',
};
const ADDRESSES = [
  { address: '0x1f7a49d62d5256d0a80d31a07f57b578c3e40183', timestamp: 1591084414000, label: 'main eth address' },
];

/** Gemini's documentation: "Create New Order", the response to "Limit Buy" */
const PLACED = {
  order_id: '106817811',
  id: '106817811',
  symbol: 'btcusd',
  exchange: 'gemini',
  avg_execution_price: '3632.8508',
  side: 'buy',
  type: 'exchange limit',
  timestamp: '1547220404',
  timestampms: 1547220404836,
  is_live: true,
  is_cancelled: false,
  is_hidden: false,
  was_forced: false,
  executed_amount: '3.7567928949',
  remaining_amount: '1.2432071051',
  client_order_id: '20190110-4738721',
  options: [],
  price: '3633.00',
  original_amount: '5',
};

const error = (status: number, reason: string, message: string): Reply =>
  json({ result: 'error', reason, message }, status);

const NO_ORDER = error(404, 'OrderNotFound', 'Order not found');

const signed = { request: 'text', nonce: 'integer' } as const;
const call = (parameters: DocumentedCall['parameters'], answer: Answer): DocumentedCall => ({
  parameters: { ...signed, ...parameters },
  answer,
});
const calls: Record<string, DocumentedCall> = {
  [route.balances]: call({ account: 'text?' }, json(BALANCES)),
  [route.roles]: call({}, json(ROLES)),
  [route.assets]: call({}, ({ target }) => {
    const network = target.split('/')[3] ?? '';
    const assets = ASSETS[network];
    return assets === undefined ? json(NO_ASSETS, 400) : json({ network, assets });
  }),
  [route.addresses]: call({ timestamp: 'text?', account: 'text?' }, json(ADDRESSES)),
  [route.newAddress]: call(
    { label: 'text?', legacy: 'boolean?', account: 'text?' },
    json({ network: 'ethereum', address: ADDRESSES[0]?.address, label: 'optional test label' }),
  ),
  [route.transfers]: {
    ...call(
      {
        currency: 'text?',
        network: 'text?',
        timestamp: 'text?',
        limit_transfers: 'integer?',
        account: 'text?',
        show_completed_deposit_advances: 'boolean?',
      },
      json([]),
    ),
    // The documented deposit of dollars has neither a network nor a fee.
    also: { '[].network': [undefined], '[].feeAmount': [undefined], '[].feeCurrency': [undefined] },
  },
  [route.place]: call(
    {
      client_order_id: 'text?',
      symbol: 'text',
      amount: 'decimal',
      price: 'decimal',
      side: 'text',
      type: 'text',
      options: 'object?',
      stop_price: 'decimal?',
      margin_order: 'boolean?',
      account: 'text?',
    },
    json(PLACED),
  ),
  [route.order]: call(
    { order_id: 'integer?', client_order_id: 'text?', include_trades: 'boolean?', account: 'text?' },
    NO_ORDER,
  ),
};

const account = all(refused(undefined, 'account_not_permitted'));
const wrong = order(refused(undefined, 'invalid_arguments'));
const address = all({ grade: 'ip_not_allowed' });
const pause = all({ grade: 'pause' });

/** The errors of developer.gemini.com/errors, and the error responses of the operations. */
const refusals: readonly (readonly [status: number, reason: string, message: string, meaning: Meaning])[] = [
  [400, 'InvalidNonce', "Nonce '1' has not increased since your last call to the Gemini API.", all(fault)],
  [
    // Recorded in github.com/ccxt/ccxt/issues/19320
    ...([400, 'InvalidNonce', "Nonce '1695066299324' is not within 30 seconds of server time '1695066301''"] as const),
    all(ifNew(undefined, 'time_based_nonce')),
  ],
  [
    ...([400, 'InvalidSignature', 'Invalid signature for this request'] as const),
    all({ grade: 'credentials', reason: 'invalid_signature', isDefinite: true }),
  ],
  [400, 'InvalidApiKey', 'Invalid API key', all({ grade: 'credentials' })],
  [403, 'MissingRole', 'The API key lacks the role', all({ grade: 'permission', isDefinite: true })],
  [403, 'ApiKeyIpFilteringFailure', 'ApiKey fails IP Filtering Check for some accounts', address],
  [403, 'RemoteAddressForbidden', 'Requests from this address are not allowed', address],
  [429, 'RateLimit', 'Requests were made too frequently', pause],
  [429, 'Too Many Requests', 'Too Many Requests', pause],
  [400, 'Maintenance', 'The system is down for maintenance', all(fault)],
  [500, 'System', 'We are experiencing technical issues', all(fault)],
  [500, 'Internal Server Error', 'Unexpected server error occurred.', all(fault)],
  [400, 'AccountClosed', 'The account is closed', all(ifNew(undefined, 'account_locked'))],
  [400, 'MissingAccountName', 'Master keys must name an account', account],
  [400, 'MissingAccounts', 'No account is specified', account],
  [400, 'MoreThanOneAccount', 'Only one account may be specified', account],
  [400, 'InvalidAccountName', 'The name of the account is invalid', account],
  [400, 'InvalidAccountType', 'The type of the account is invalid', account],
  [400, 'AccountNotOfTypeRequired', 'Account is not of required type: exchange', account],
  [400, 'NoAccountOfTypeRequired', 'No account is of the required type', account],
  [400, 'AccountsOnGroupOnlyApi', 'The account parameter is for master keys only', account],
  [400, 'NotGroupApiCompatible', 'The endpoint does not take master keys', account],
  [404, 'OrderNotFound', 'Order 1 not found', ifNew('TRADING_ORDER_NOT_FOUND')],
  [404, 'UnsupportedNetwork', 'UnsupportedNetwork: INVALIDTOKEN', ifNew('DEPOSIT_METHODS_UNAVAILABLE')],
  [
    ...([406, 'InsufficientFunds', 'Failed to place buy order: insufficient funds'] as const),
    order(refused('GENERIC_INVALID_REQUEST', 'insufficient_balance')),
  ],
  [400, 'InvalidSymbol', 'An invalid symbol was specified', order(refused('TRADING_ROUTE_NOT_FOUND'))],
  [400, 'MarketNotOpen', 'The market is closed', order(refused('TRADING_ROUTE_UNAVAILABLE'))],
  [400, 'InvalidPrice', 'Invalid price for symbol BTCUSD: 1.001', wrong],
  [400, 'InvalidQuantity', 'Invalid quantity for symbol BTCUSD: 0.0000001', wrong],
  [400, 'InvalidSide', 'Invalid side for symbol BTCUSD: "both"', wrong],
  [400, 'InvalidOrderType', 'Invalid order type for symbol BTCUSD', wrong],
  [400, 'MissingOrderField', "Required field 'price' not specified", wrong],
  [400, 'ConflictingOptions', 'New orders have conflicting options', wrong],
  [400, 'OptionsMustBeArray', 'Options must be an array', wrong],
  [400, 'UnsupportedOption', 'This option is not supported', wrong],
  [400, 'ClientOrderIdTooLong', 'The client order id must be under 100 characters', wrong],
  [400, 'ClientOrderIdMustBeString', 'The client order id must be a string', wrong],
];

const types: Readonly<Record<HistoryKind, string>> = { deposit: 'Deposit', withdrawal: 'Withdrawal' };
const statuses = { pending: 'Pending', completed: 'Complete', failed: 'Pending', 'unheard of': 'Advanced' } as const;

/** Gemini's documentation: "List Past Transfers" */
function entry(
  kind: HistoryKind,
  { id, at, asset, network, address: to, net, fee, feeAsset, state }: SampleRecord,
): object {
  return {
    type: types[kind],
    status: statuses[state],
    timestampms: at.getTime(),
    currency: asset,
    network,
    amount: net.toString(),
    feeAmount: fee.toString(),
    feeCurrency: feeAsset ?? asset,
    txHash: 'aa',
    destination: to,
    ...(kind === 'deposit' ? { eid: id } : { eid: 368598436530, withdrawalId: id }),
  };
}

/**
 * Gemini: "Only return transfers after this timestamp", "The maximum number of transfers to return. The default is 10
 * and the maximum is 50." A response has the oldest of the matching transfers, sorted from newest to oldest. Gemini
 * documents this for trades ("How to retrieve your trade history").
 */
function listing(_kind: HistoryKind, entries: readonly ListedEntry[]): Record<string, Answer> {
  return {
    [route.transfers]: (received) => {
      const { timestamp = '0', limit_transfers: limit = '10' } = textsOf(received);
      const later = entries.filter(({ at }) => at.getTime() > Number(timestamp));
      const oldest = later.sort((a, b) => a.at.getTime() - b.at.getTime()).slice(0, Math.min(Number(limit), 50));
      return json(oldest.reverse().map((one) => one.entry));
    },
  };
}

/** Gemini's documentation: "Get Order Status", "Include Trades Response" */
function orderOf({ exchangeId, clientOrderId, at, state, volume, executed, ...rest }: SampleOrder): object {
  const { averagePrice: price, fee, feeAsset, limitPrice, side } = rest;
  const trade = {
    price,
    amount: executed,
    timestampms: at.getTime(),
    type: side === 'buy' ? 'Buy' : 'Sell',
    aggressor: true,
    fee_currency: feeAsset,
    fee_amount: fee,
    tid: 17379712930,
    order_id: exchangeId,
    exchange: 'gemini',
  };
  return {
    ...PLACED,
    order_id: exchangeId,
    id: exchangeId,
    client_order_id: clientOrderId,
    timestampms: at.getTime(),
    original_amount: volume,
    executed_amount: executed,
    avg_execution_price: price,
    side,
    price: limitPrice,
    remaining_amount: Amount.of(volume).minus(Amount.of(executed)).toString(),
    is_live: state === 'open' || state === 'partly executed',
    is_cancelled: state === 'canceled',
    trades: executed === '0' ? [] : [trade],
  };
}

const nothing = { ipAllowlist: [], validUntil: null, lastUsed: null, createdTime: null, modifiedTime: null };

/** Gemini's documentation, as data for the contract suite. */
export const geminiContract: ExchangeContract = {
  credentials: accountsWith('apiSecret'),
  noncesMustRise: true,
  signature: {
    keyOf: ({ headers }) => String(headers['x-gemini-apikey']),
    check: () => {
      const last = new Map<string, number>();
      return (received, credentials) => signatureProblem(received, credentials, last);
    },
    jsonOf: payloadOf,
  },
  calls,
  refusals: [
    ...refusals.map(([status, reason, message, meaning]) => ({
      ...meaning,
      name: `${reason} ${message}`,
      reply: error(status, reason, message),
    })),
    { ...ifNew(undefined, 'no_assets'), name: 'a network without assets', reply: json(NO_ASSETS, 400) },
  ],
  unlisted: [error(400, 'NeverSeen', 'Never seen'), error(401, 'MissingApikeyHeader', 'Must provide a key'), json({})],
  repeatsAreRefusedFirst:
    'developer.gemini.com/authentication/api-key: "the nonce has to be a number that will never be repeated and must ' +
    'increase between requests. This is to prevent an attacker who has captured a previous request from simply ' +
    'replaying that request."',
  limits: [{ reply: error(429, 'RateLimit', 'Requests were made too frequently'), of: 'credential', pauseMs: 1_000 }],
  networkEvidence: {},
  balances: {
    expected: [
      { asset: 'BTC', free: '4.5', used: '0.5', total: '5', withdrawable: '4.5' },
      { asset: 'USD', free: '5000', used: '10000', total: '15000', withdrawable: '4000.25' },
    ],
    unreadable: { [route.balances]: json([...BALANCES, balance('LTC', '1', 'much', '1')]) },
  },
  otherAccounts: geminiOtherAccounts,
  keyInfo: {
    route: route.roles,
    expected: { permissions: ['FundManager', 'Trader'], ...nothing },
    least: {
      reply: json({ isAuditor: true, isFundManager: false, isTrader: false }),
      expected: { permissions: ['Auditor'], ...nothing },
    },
  },
  orders: {
    route: route.place,
    // A time-based nonce "has to be within +/- 30 seconds of Unix Epoch timestamp", and any other nonce must rise.
    signedForMs: 30_000,
    accepted: json(PLACED),
    exchangeIds: [PLACED.order_id],
    withoutId: [json({ ...PLACED, order_id: '' }), json({ ...PLACED, order_id: null }), json({ result: 'ok' })],
    repeated: error(400, 'InvalidNonce', 'Nonce has not increased since your last call to the Gemini API.'),
    instruction: {
      exchangeSymbol: 'btcusd',
      side: 'buy',
      type: 'limit',
      volume: Amount.of('5'),
      price: Amount.of('3633.00'),
    },
    meaningOf: (received) => {
      const { symbol: pair = '', side, type, amount: volume = '', price = null } = textsOf(received);
      return { pair, side: sideIn(side), type: typeIn(type, { limit: 'exchange limit' }), volume, price };
    },
    limitOnly: true,
    listing: (orders) => ({
      [route.order]: (received) => {
        const { order_id: id, client_order_id: ours } = textsOf(received);
        const one = orders.find((each) => (id === undefined ? each.clientOrderId === ours : each.exchangeId === id));
        return one === undefined ? NO_ORDER : json(orderOf(one));
      },
    }),
    feeAsset: 'USD',
  },
  deposits: {
    asset: 'ETH',
    methods: [{ exchangeMethodId: 'ethereum', network: 'ethereum' }],
    method: 'ethereum',
    addresses: [{ address: '0x1f7a49d62d5256d0a80d31a07f57b578c3e40183', tag: null }],
    unsafe: { [route.addresses]: json([...ADDRESSES, { address: 'n2saq73aDTu42bRgEHd8gd4to1gCzHxrdj' }]) },
  },
  history: {
    entry,
    listing,
    endless: (_kind, one) => ({ [route.transfers]: json(Array(50).fill(one)) }),
    sample: {
      asset: 'USDC',
      network: 'ethereum',
      address: '0x83cFb8C13f06716b449E5D24F5b4cc6Cc64a189A',
      tag: null,
      net: Amount.of('0.01'),
      fee: Amount.of('0.118856'),
      clientRef: null,
    },
    pageSize: 50,
    unitMs: 1,
    windowDays: null,
  },
};
