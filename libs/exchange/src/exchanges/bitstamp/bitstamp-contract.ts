import { createHmac } from 'node:crypto';
import { Amount } from '#money';
import type { HistoryKind } from '../../port/exchange.port.js';
import {
  accountsWith,
  all,
  fault,
  ifNew,
  order,
  refused,
  sideIn,
  type Meaning,
} from '../../testing/contract/documented.js';
import {
  json,
  notServed,
  type DocumentedCall,
  type ExchangeContract,
  type ListedEntry,
  type Reply,
  type SampleRecord,
} from '../../testing/contract/exchange-contract.js';
import type { ReceivedCall } from '../../testing/stub-exchange.js';
import { bitstampOrder } from './bitstamp-samples.js';

/**
 * Bitstamp as its documentation describes it: www.bitstamp.net/api and its OpenAPI description, of which
 * github.com/Lolztech/CryptoCave (bitstamp-api-client/docs, April 2024) is a copy. Samples of responses are those of
 * github.com/JKorf/Bitstamp.Net (Bitstamp.Net.UnitTests/Endpoints, August 2026) and of github.com/knowm/XChange.
 */

const route = {
  balances: 'POST /api/v2/account_balances/',
  currencies: 'GET /api/v2/currencies/',
  withdrawal: 'POST /api/v2/withdrawal-requests/',
  deposit: 'POST /api/v2/crypto-transactions/',
  address: 'POST /api/v2/btc_address/',
  place: 'POST /api/v2/buy/btcusd/',
  order: 'POST /api/v2/order_status/',
} as const;

/** The routes of orders of the other side and type. */
const otherOrders = ['sell', 'buy/market', 'sell/market'].map((path) => `POST /api/v2/${path}/btcusd/`);

/**
 * Returns what is wrong with the signature; null = nothing. Bitstamp's documentation, "Authentication": the hexadecimal
 * HMAC SHA256 of X-Auth, method, host, path, query, Content-Type, nonce, timestamp, version and body. The nonce is a
 * lower-case text of 36 characters that is used once. Without a body there is no Content-Type.
 */
function signatureProblem(
  { headers, route: called, target, body }: ReceivedCall,
  { apiKey, apiSecret }: ExchangeContract['credentials'][number],
  used: Set<string>,
): string | null {
  const [method = ''] = called.split(' ');
  const [nonce, timestamp] = [String(headers['x-auth-nonce']), String(headers['x-auth-timestamp'])];
  const contentType = headers['content-type'] ?? '';
  const key = `BITSTAMP ${apiKey.reveal()}`;
  const text = [key, method, headers.host, target, contentType, nonce, timestamp, 'v2', body].join('');
  const signature = createHmac('sha256', apiSecret?.reveal() ?? '')
    .update(text)
    .digest('hex');
  if (headers['x-auth-signature'] !== signature) return 'the signature is wrong';
  if (headers['x-auth-version'] !== 'v2') return 'the version is wrong';
  if (contentType !== (body === '' ? '' : 'application/x-www-form-urlencoded')) return 'the type of the body is wrong';
  if (!/^[0-9a-f-]{36}$/.test(nonce) || used.has(nonce)) return 'the nonce is wrong or used';
  used.add(nonce);
  return Math.abs(Date.now() - Number(timestamp)) < 150_000 ? null : 'the timestamp is too old or too new';
}

/** Bitstamp's documentation: GetCurrencies */
const onNetwork = (network: string, rest: object = {}) => ({
  network,
  deposit: 'Enabled',
  withdrawal: 'Enabled',
  withdrawal_decimals: 8,
  withdrawal_minimum_amount: '0.00006000',
  ...rest,
});
const currency = (code: string, ...networks: unknown[]) => ({
  name: code,
  currency: code,
  type: 'crypto',
  symbol: code,
  decimals: 8,
  logo: 'https://www.bitstamp.net/l.svg',
  available_supply: '19934406',
  deposit: 'Enabled',
  withdrawal: 'Enabled',
  networks,
});
const CURRENCIES = [
  // The BTC that Bitstamp issues on the XRP Ledger (`xrpl`) is a token of its own, and not bitcoin.
  currency('BTC', onNetwork('bitcoin'), onNetwork('xrpl')),
  currency('XRP', onNetwork('xrpl', { withdrawal_decimals: 6 })),
  currency('ETH', onNetwork('ethereum'), onNetwork('never seen'), onNetwork('solana')),
  { ...currency('USD'), type: 'fiat' },
  // The entries of LTC and BCH lack members, so the connector cannot read them.
  currency('LTC', { network: 'litecoin' }),
  { currency: 'BCH' },
];
const ADDRESS = '3FiKkjgZ6Sj4RWp3ZsCjYh5Pt7ZCBsL7uF';

/** Bitstamp's documentation: GetAccountBalances */
const BALANCES = [
  { currency: 'usd', total: '100.00', available: '100.00', reserved: '0.00' },
  { currency: 'btc', total: '1.50000000', available: '1.00000001', reserved: '0.49999999' },
  { currency: 'eth', total: '0.00000000', available: '0.00000000', reserved: '0.00000000' },
];

/** Bitstamp's documentation: GetOrderStatus, OpenLimitBuyOrder */
const PLACED = {
  id: '1453282316578816',
  market: 'BTC/USD',
  datetime: '2022-01-31 14:43:15.796000',
  type: '0',
  price: '50000',
  amount: '0.00001',
  client_order_id: 'ab12',
};

/** Bitstamp's documentation: "Possible errors", "Possible authentication errors" */
const error = (reason: unknown, rest: object = {}, status = 200): Reply =>
  json({ status: 'error', reason, ...rest }, status);
const inField = (text: string, field = '__all__'): Reply => error({ [field]: [text] });

const page: DocumentedCall['parameters'] = { limit: 'integer?', offset: 'integer?' };
const placed: DocumentedCall = {
  parameters: { amount: 'decimal', price: 'decimal?', client_order_id: 'text?' },
  answer: json(PLACED),
};
const calls: Record<string, DocumentedCall> = {
  [route.balances]: { parameters: {}, answer: json(BALANCES) },
  [route.currencies]: { parameters: {}, answer: json(CURRENCIES), isPublic: true },
  [route.withdrawal]: { parameters: { ...page, id: 'text?', timedelta: 'integer?' }, answer: json([]) },
  [route.deposit]: { parameters: { ...page, include_ious: 'boolean?' }, answer: json({ deposits: [] }) },
  [route.address]: { parameters: { network: 'text?' }, answer: json({ address: ADDRESS }) },
  [route.place]: placed,
  ...Object.fromEntries(otherOrders.map((other) => [other, placed])),
  [route.order]: {
    parameters: { id: 'integer?', client_order_id: 'text?', omit_transactions: 'boolean?' },
    answer: error('Order not found.'),
  },
};

const credential = (rest: Partial<Meaning> = {}): Meaning => ({ grade: 'credentials', of: 'all', ...rest });
const signature = credential({ reason: 'invalid_signature', isDefinite: true });
const wrongFormat = credential({ isDefinite: true });
const permission = all({ grade: 'permission', isDefinite: true });
const address = all({ grade: 'ip_not_allowed' });
const noFunds = order(refused('GENERIC_INVALID_REQUEST', 'insufficient_balance'));
const tooSmall = order(refused('GENERIC_VALIDATION_ERROR', 'below_minimum_volume'));
const tooLarge = order(refused('GENERIC_VALIDATION_ERROR', 'above_maximum_volume'));
const price = order(refused('GENERIC_VALIDATION_ERROR', 'price_limit'));
const wrong = order(refused(undefined, 'invalid_arguments'));
const notPermitted = order(ifNew(undefined, 'account_not_permitted'));
const unverified = all(ifNew(undefined, 'kyc_required'));

/** Bitstamp's documentation: "Possible authentication errors" */
const authentication: readonly (readonly [code: string, reason: string, meaning: Meaning])[] = [
  ['API0001', 'API key not found', credential()],
  ['API0002', 'IP address not allowed', address],
  ['API0003', 'No permission found', permission],
  ['API0004', 'Invalid nonce', all(fault)],
  ['API0005', 'Invalid signature', signature],
  ['API0006', 'Your account is frozen', all(ifNew(undefined, 'account_locked'))],
  ['API0008', 'Authentication failed', credential()],
  [
    'API0009',
    'Please update your profile with your FATCA information, before using API.',
    all(ifNew(undefined, 'account_not_permitted')),
  ],
  ['API0011', 'Wrong API key format', wrongFormat],
  ['API0017', 'X-Auth-Timestamp header is out of boundaries', all(fault)],
];

/** Bitstamp's documentation: "Response codes" */
const codes: readonly (readonly [code: string, explanation: string, meaning: Meaning])[] = [
  ['400.001', 'Unknown validation error.', wrong],
  ['400.002', 'Request rejected due to exceeded rate limit.', all({ grade: 'pause' })],
  ['400.003', 'Trading for provided market is disabled.', order(ifNew('TRADING_ROUTE_UNAVAILABLE'))],
  ['400.005', 'POST parameter(s) is missing from request: amount.', wrong],
  ['400.009', 'Insufficient balance for provided user.', noFunds],
  ['400.019', 'Provided client_order_id already exists.', order(fault)],
  ['400.020', 'Provided order size is lower than minimum order value.', tooSmall],
  ['400.021', 'Provided price is out of range.', price],
  ['400.037', 'Provided order size is too large.', tooLarge],
  ['400.046', 'Provided order amount is too low.', tooSmall],
  ['403.001', 'User verification failed.', unverified],
  ['403.002', 'Trading is not allowed on lending account.', order(refused(undefined, 'account_not_permitted'))],
  ['403.004', 'Trading is blocked for user.', notPermitted],
  ['404.002', 'Order not found for corresponding request.', ifNew('TRADING_ORDER_NOT_FOUND')],
  ['404.006', 'Currency not found for corresponding request.', ifNew('DEPOSIT_METHODS_UNAVAILABLE')],
  ['404.007', 'Market not found for corresponding request.', order(refused('TRADING_ROUTE_NOT_FOUND'))],
  ['500.002', 'One of Bitstamp internal services failed to process request.', all(fault)],
  ['500.016', 'Timeout on matching engine.', order(fault)],
];

/** Bitstamp's documentation: "Possible errors" of each operation. Other texts are responses that ccxt 4.5.84 quotes. */
const texts: readonly (readonly [text: string, meaning: Meaning])[] = [
  ['User not verified', unverified],
  ['Order not found.', ifNew('TRADING_ORDER_NOT_FOUND')],
  ['Invalid network selection', ifNew('DEPOSIT_METHODS_UNAVAILABLE')],
  ['Your deposits are currently disabled', ifNew('DEPOSIT_METHODS_UNAVAILABLE')],
  ['Missing amount and/or price POST parameters', wrong],
  ['Enter a number. Use "." as a decimal point.', wrong],
  ['Ensure that there are no more than 0 decimal places.', wrong],
  ['Minimum order size is 10 USD', tooSmall],
  ['Price is more than 20% above market price.', price],
  [
    'You need 5 USD to open that order. You have only 1 USD available. Check your account balance for details.',
    noFunds,
  ],
  ['You can only buy 1 BTC. Check your account balance for details.', noFunds],
  ['Maximum market buy amount at the moment is 1 BTC. Please use limit order instead.', tooLarge],
  ['Trading is currently unavailable for your account.', notPermitted],
  ['Order could not be placed.', order(fault)],
];

const statuses = {
  withdrawal: { pending: 1, completed: 2, failed: 4, 'unheard of': 10 },
  deposit: { pending: 'PENDING', completed: 'FINALIZED', failed: 'REJECTED', 'unheard of': 'HELD' },
} as const;
const networks: Readonly<Record<string, string>> = { bitcoin: 'bitcoin', ripple: 'xrpl' };

/** Bitstamp's documentation: GetWithdrawalRequests; GetCryptoUserTransactions */
function entry(kind: HistoryKind, { id, at, asset, network, address: to, tag, net, state }: SampleRecord): object {
  const known = { id, currency: asset, network: networks[network], status: statuses[kind][state] };
  const destination = tag === null ? to : `${to}?dt=${tag}`;
  return kind === 'deposit'
    ? { ...known, amount: net.toString(), destinationAddress: destination, txid: 'aa', datetime: at.getTime() / 1000 }
    : {
        ...known,
        type: 1,
        amount: net.toString(),
        address: destination,
        transaction_id: 'aa',
        txid: 1,
        datetime: at.toISOString().slice(0, 19).replace('T', ' '),
      };
}

/** Bitstamp: "Skip that many … before returning results" (`offset`), "Limit result to that many …" (`limit`) */
function listing(kind: HistoryKind, entries: readonly ListedEntry[]): Record<string, DocumentedCall['answer']> {
  return {
    [route[kind]]: ({ params }) => {
      const [limit, offset] = [Number(params['limit'] ?? 100), Number(params['offset'] ?? 0)];
      const found = entries.slice(offset, offset + limit).map((one) => one.entry);
      return json(kind === 'deposit' ? { deposits: found, withdrawals: [], ripple_iou_transactions: [] } : found);
    },
  };
}

const nothing = { validUntil: null, lastUsed: null, createdTime: null, modifiedTime: null };
const unknownKey = { permissions: [], ipAllowlist: [], ...nothing };

/** Bitstamp's documentation, as data for the contract suite. */
export const bitstampContract: ExchangeContract = {
  credentials: accountsWith('apiSecret'),
  noncesMustRise: false,
  signature: {
    keyOf: ({ headers }) => /^BITSTAMP (.+)$/.exec(String(headers['x-auth']))?.[1] ?? null,
    check: () => {
      const used = new Set<string>();
      return (call, credentials) => signatureProblem(call, credentials, used);
    },
  },
  calls,
  refusals: [
    ...authentication.map(([code, reason, meaning]) => ({
      ...meaning,
      name: `${code} ${reason}`,
      reply: error(reason, { code }, 403),
    })),
    ...codes.map(([code, text, meaning]) => ({
      ...meaning,
      name: `${code} ${text}`,
      reply: error({ __all__: [text] }, { response_code: code, response_explanation: text }, 400),
    })),
    ...texts.map(([text, meaning]) => ({ ...meaning, name: text, reply: inField(text) })),
    ...authentication
      .slice(0, 3)
      .map(([, reason, meaning]) => ({ ...meaning, name: `${reason} (text)`, reply: json({ error: reason }, 403) })),
  ],
  unlisted: [
    inField('Never seen.'),
    error('Never seen.', { code: 'API0099' }, 403),
    json({ error: 'toString' }),
    json({ code: 'validation-error', errors: [{ field: 'amount', message: 'wrong', code: 'wrong' }] }, 400),
  ],
  repeatsAreRefusedFirst:
    'www.bitstamp.net/api, "Authentication": "each nonce can be used only once within a timeframe of 150 seconds", and ' +
    'a timestamp "more than 150 seconds from current server time" is refused',
  limits: [
    {
      reply: error({ __all__: ['Request rejected due to exceeded rate limit.'] }, { response_code: '400.002' }, 400),
      of: 'credential',
      pauseMs: 1_000,
    },
  ],
  networkEvidence: {},
  balances: {
    expected: [
      { asset: 'USD', free: '100', used: '0', total: '100', withdrawable: '100' },
      { asset: 'BTC', free: '1.00000001', used: '0.49999999', total: '1.5', withdrawable: '1.00000001' },
    ],
    unreadable: { [route.balances]: json([...BALANCES, { ...BALANCES[0], available: 'much' }]) },
  },
  otherAccounts: notServed('earn', 'derivatives', 'sub-accounts'),
  keyInfo: { route: route.balances, expected: unknownKey, least: { reply: json([]), expected: unknownKey } },
  orders: {
    route: route.place,
    // "more than 150 seconds from current server time" is refused
    signedForMs: 150_000,
    accepted: json(PLACED),
    exchangeIds: [PLACED.id],
    withoutId: [json({}), json({ ...PLACED, id: '' }), json({ ...PLACED, id: null }), json({ status: 'ok' })],
    repeated: error('Invalid nonce', { code: 'API0004' }, 403),
    instruction: {
      exchangeSymbol: 'btcusd',
      side: 'buy',
      type: 'limit',
      volume: Amount.of('0.00001'),
      price: Amount.of('50000'),
    },
    // The operations OpenLimitBuyOrder, OpenLimitSellOrder, OpenMarketBuyOrder and OpenMarketSellOrder: the path states
    // the side, the type and the market. "Amount in base currency."
    meaningOf: ({ route: placedBy, params }) => {
      const [, side, market, pair = ''] = /^POST \/api\/v2\/(\w+)(\/market)?\/(\w+)\/$/.exec(placedBy) ?? [];
      const type = market === undefined ? 'limit' : 'market';
      return { pair, side: sideIn(side), type, volume: params['amount'] ?? '', price: params['price'] ?? null };
    },
    listing: (orders) => ({
      [route.order]: ({ params: { id, client_order_id: ours } }) => {
        const one = orders.find((each) => (id === undefined ? each.clientOrderId === ours : each.exchangeId === id));
        return one === undefined ? error('Order not found.') : json(bitstampOrder(one));
      },
    }),
    hidesLimitPrice: true,
    // null = the quote currency, in which the documented samples have their fees.
    feeAsset: null,
  },
  deposits: {
    asset: 'BTC',
    methods: [{ exchangeMethodId: 'bitcoin', network: 'bitcoin' }],
    method: 'bitcoin',
    addresses: [{ address: ADDRESS, tag: null }],
    unsafe: { [route.address]: json({ address: 'rE1sdh25BJQ3qFwngiTBwaq3zPGGYcrjp1', destination_tag: 89473951 }) },
  },
  history: {
    entry,
    listing,
    endless: (kind, one) => listing(kind, Array(200_000).fill({ id: '1', at: new Date(0), entry: one })),
    reportsNoFees: true,
    sample: {
      asset: 'BTC',
      network: 'bitcoin',
      address: ADDRESS,
      tag: null,
      net: Amount.of('0.00012'),
      fee: Amount.zero,
      clientRef: null,
    },
    pageSize: 1000,
    unitMs: 1000,
    windowDays: null,
  },
};
