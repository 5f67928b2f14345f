import { createPublicKey, generateKeyPairSync, verify } from 'node:crypto';
import { Amount } from '#money';
import { Secret } from '#platform/crypto';
import type { ExchangeCredentials, HistoryKind } from '../../port/exchange.port.js';
import { coinbaseDocumented } from '../../testing/coinbase-documentation.js';
import { UndocumentedRequest, sideIn, typeIn } from '../../testing/contract/documented.js';
import {
  json,
  notServed,
  type Answers,
  type DocumentedCall,
  type ExchangeContract,
  type ListedEntry,
  type Reply,
  type SampleOrder,
} from '../../testing/contract/exchange-contract.js';
import type { ReceivedCall } from '../../testing/stub-exchange.js';
import { coinbaseRefusals, inV2, inV3 } from './coinbase-refusal-samples.js';
import { CLIENT_REF, coinbaseOrder, coinbaseOthers, coinbaseTransfer } from './coinbase-samples.js';

/**
 * Coinbase as its documentation describes it, for keys of the developer platform:
 * https://docs.cdp.coinbase.com/coinbase-app (pages of 2025 and 2026) and
 * https://docs.cdp.coinbase.com/api-reference/advanced-trade-api/rest-api.
 */

const BTC_WALLET = '2bbf394c-193b-5b2a-9155-3b4732659ede';
const USDC_WALLET = '82de7fcd-db72-5085-8ceb-bee19303080b';
const route = {
  held: 'GET /api/v3/brokerage/accounts',
  key: 'GET /api/v3/brokerage/key_permissions',
  user: 'GET /v2/user',
  wallets: 'GET /v2/accounts',
  wallet: 'GET /v2/accounts/{currency}',
  send: `POST /v2/accounts/${BTC_WALLET}/transactions`,
  transactions: `GET /v2/accounts/${BTC_WALLET}/transactions`,
  transaction: `GET /v2/accounts/${BTC_WALLET}/transactions/{transaction_id}`,
  otherTransactions: `GET /v2/accounts/${USDC_WALLET}/transactions`,
  addresses: `GET /v2/accounts/${USDC_WALLET}/addresses`,
  newAddress: `POST /v2/accounts/${USDC_WALLET}/addresses`,
  place: 'POST /api/v3/brokerage/orders',
  orders: 'GET /api/v3/brokerage/orders/historical/batch',
} as const;

function credentials(id: string): ExchangeCredentials {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const pem = privateKey.export({ type: 'sec1', format: 'pem' }).toString();
  return { apiKey: new Secret(`organizations/${id}/apiKeys/${id}`), apiSecret: new Secret(pem) };
}

interface Claims {
  readonly sub?: string;
  readonly nbf?: number;
  readonly exp?: number;
  readonly uri?: string;
}

function partsOf({ headers }: ReceivedCall): { header: { kid?: string; alg?: string }; claims: Claims; token: string } {
  const token = headers.authorization?.replace(/^Bearer /, '') ?? '';
  const read = (part: string | undefined): object => {
    try {
      return JSON.parse(Buffer.from(part ?? '', 'base64url').toString()) as object;
    } catch {
      return {};
    }
  };
  const [header, claims] = token.split('.');
  return { header: read(header), claims: read(claims), token };
}

/**
 * Returns what is wrong with the JSON web token of a request; null = nothing. The token is signed with ES256, has the
 * name of the key in `sub` and `kid`, is valid for two minutes, and has method, host and path in `uri`.
 * https://docs.cdp.coinbase.com/coinbase-app/authentication-authorization/api-key-authentication
 */
function problemOf(call: ReceivedCall, { apiKey, apiSecret }: ExchangeCredentials): string | null {
  const { header, claims, token } = partsOf(call);
  const [signed, signature] = [token.slice(0, token.lastIndexOf('.')), token.slice(token.lastIndexOf('.') + 1)];
  const key = createPublicKey(apiSecret?.reveal() ?? '');
  const options = { key, dsaEncoding: 'ieee-p1363' } as const;
  if (header.alg !== 'ES256') return 'the token is not signed with ES256';
  if (!verify('SHA256', Buffer.from(signed), options, Buffer.from(signature, 'base64url')))
    return 'the signature is wrong';
  if (claims.sub !== apiKey.reveal()) return 'the token is for another key';
  const { nbf = 0, exp = 0 } = claims;
  if (exp - nbf > 120 || exp * 1000 < Date.now()) return 'the token is valid for another time';
  const [method, path] = call.route.split(' ');
  return claims.uri === `${method} ${call.headers.host}${path}` ? null : `the token is for ${claims.uri}`;
}

/** Coinbase's documentation: coinbase-app/track-apis/accounts */
const wallet = (id: string, code: string, exponent: number, rest: object = {}) => ({
  id,
  name: `${code} Wallet`,
  primary: false,
  type: 'wallet',
  resource: 'account',
  currency: { code, exponent, name: code, type: 'crypto', asset_id: '5b71fc48-3dd3-540c-809b-f8c94d0e68b5' },
  balance: { amount: '99999999999999999999.00000000', currency: code },
  created_at: '2024-01-31T20:49:02Z',
  updated_at: '2024-01-31T20:49:02Z',
  ...rest,
});
const BTC = wallet(BTC_WALLET, 'BTC', 8);
const USDC = wallet(USDC_WALLET, 'USDC', 6);
const ETH = wallet('58542935-67b5-56e1-a3f9-42686e07fa40', 'ETH', 18);
const EUR = wallet('3c04e35e-8e5a-5ff1-9155-00675db4ac02', 'EUR', 2, { type: 'fiat' });

/** Coinbase's documentation: coinbase-app/api-architecture/pagination */
const listed = (data: readonly unknown[], next: string | null = null): Reply =>
  json({ pagination: { ending_before: null, starting_after: null, limit: 25, order: 'desc', next_uri: next }, data });

/** Returns a page of at most 100 entries. The page begins after the entry whose id is `starting_after`. */
const paged =
  (all: readonly { id: string; entry: unknown }[]) =>
  ({ params }: ReceivedCall): Reply => {
    const from = all.findIndex(({ id }) => id === params['starting_after']) + 1;
    const end = from + Math.min(Number(params['limit'] ?? 25), 100);
    const next = end < all.length ? `/v2/transactions?starting_after=${all[end - 1]?.id}` : null;
    return listed(
      all.slice(from, end).map(({ entry: one }) => one),
      next,
    );
  };

const address = (text: string, network: string) => ({
  id: `id of ${text}`,
  address: text,
  name: null,
  network,
  resource: 'address',
  created_at: '2015-01-31T20:49:02Z',
  updated_at: '2015-03-31T17:25:29-07:00',
});
const ON_BASE = ['0xc0ffee254729296a45a3885639AC7E10F9d54979', '0x281055afc982d96fab65b3a49cac8b878184cb16'];

const DESTINATION = '1AUJ8z5RuHRTqD1eikyfUUetzGmdWLGkpT';
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
/** Coinbase's documentation: coinbase-app/transfer-apis/send-crypto */
const SENT = {
  data: {
    id: '3c04e35e-8e5a-5ff1-9155-00675db4ac02',
    type: 'send',
    status: 'pending',
    description: null,
    amount: { amount: '-0.10000000', currency: 'BTC' },
    native_amount: { amount: '-1.00', currency: 'USD' },
    created_at: '2015-01-31T20:49:02Z',
    updated_at: '2015-03-31T17:25:29-07:00',
    resource: 'transaction',
    network: { status: 'pending' },
    to: { resource: 'bitcoin_address', address: DESTINATION },
  },
};

function listing(_kind: HistoryKind, entries: readonly ListedEntry[]): Answers {
  const newest = [...entries, ...entries.slice(0, 1).flatMap(({ at }) => coinbaseOthers(at))].sort(
    (a, b) => +b.at - +a.at,
  );
  return {
    [route.wallets]: listed([BTC]),
    [route.transactions]: paged(newest),
    [route.transaction]: ({ endpoint }) => {
      const found = entries.find(({ id }) => id === endpoint);
      return found === undefined ? inV2(404, 'not_found') : json({ data: found.entry });
    },
  };
}

const { accounts, keyPermissions, user } = coinbaseDocumented;
const page = { limit: 'integer?', starting_after: 'text?', ending_before: 'text?', order: 'text?' } as const;

/** Coinbase's documentation, orders/list-orders: `cursor` "returns all responses that come after this value". */
const orderListing =
  (orders: readonly SampleOrder[]): DocumentedCall['answer'] =>
  ({ params: { order_ids, start_date, limit = '100', cursor } }) => {
    const selected = orders
      .filter(({ exchangeId }) => order_ids === undefined || exchangeId === order_ids)
      .filter(({ at }) => start_date === undefined || at >= new Date(start_date));
    const from = selected.findIndex(({ exchangeId }) => exchangeId === cursor) + 1;
    const end = from + Number(limit);
    const has_next = end < selected.length;
    const page = selected.slice(from, end);
    return json({ orders: page.map(coinbaseOrder), has_next, cursor: has_next ? page.at(-1)?.exchangeId : '' });
  };

const calls: Record<string, DocumentedCall> = {
  [route.held]: {
    parameters: { limit: 'integer?', cursor: 'text?' },
    answer: ({ params }) => {
      if (params['cursor'] === undefined) return json(accounts.first);
      return params['cursor'] === accounts.first.cursor ? json(accounts.second) : inV3(400, 'INVALID_ARGUMENT');
    },
  },
  [route.key]: { parameters: {}, answer: json(keyPermissions) },
  [route.user]: { parameters: {}, answer: json(user) },
  [route.wallets]: { parameters: page, answer: listed([BTC, USDC, ETH, EUR]) },
  [route.wallet]: {
    parameters: {},
    answer: ({ endpoint }) => json({ data: [BTC, USDC, ETH].find(({ currency }) => currency.code === endpoint) }),
  },
  [route.send]: {
    parameters: {
      type: 'text',
      to: 'text',
      amount: 'decimal',
      currency: 'text',
      idem: 'text?',
      network: 'text?',
      description: 'text?',
      skip_notifications: 'boolean?',
      destination_tag: 'text?',
      travel_rule_data: 'object?',
    },
    answer: json(SENT, 201),
  },
  [route.transactions]: { parameters: page, answer: listed([]) },
  [route.otherTransactions]: { parameters: page, answer: listed([]) },
  [route.transaction]: { parameters: {}, answer: inV2(404, 'not_found') },
  [route.addresses]: {
    parameters: page,
    answer: listed([address(DESTINATION, 'ethereum'), ...ON_BASE.map((text) => address(text, 'base'))]),
  },
  [route.newAddress]: {
    parameters: { name: 'text?', network: 'text?' },
    answer: json({ data: address(ON_BASE[0] ?? '', 'base') }, 201),
  },
  [route.place]: {
    parameters: {
      client_order_id: 'text',
      product_id: 'text',
      side: 'text',
      order_configuration: 'object',
      retail_portfolio_id: 'text?',
    },
    answer: json({ success: true, success_response: { order_id: '11111-00000-000000', product_id: 'BTC-USD' } }),
  },
  [route.orders]: {
    parameters: { order_ids: 'text?', product_ids: 'text?', start_date: 'text?', limit: 'integer?', cursor: 'text?' },
    answer: orderListing([]),
  },
};

const nothing = { ipAllowlist: [], validUntil: null, lastUsed: null, createdTime: null, modifiedTime: null };
const [lastAccount] = accounts.second.accounts;
const FEE = Amount.of('0.00033');
const PLACED = { order_id: '11111-00000-000000', product_id: 'BTC-USD', side: 'BUY', client_order_id: '0000-00000' };

/** Coinbase's documentation, as data for the contract suite. */
export const coinbaseContract: ExchangeContract = {
  credentials: [credentials('first'), credentials('second')],
  noncesMustRise: false,
  signature: { keyOf: (call) => partsOf(call).header.kid ?? null, check: () => problemOf },
  settings: {
    WITHDRAWAL_FEE_ESTIMATES: [
      ...['coinbase:BTC:bitcoin=0.00033', 'coinbase:USDC:base=0.02', 'coinbase:BTC:ethereum=1'],
      ...['coinbase:CBBTC:base=1', 'coinbase:XYZ:base=1', 'coinbase:DOGE:dogecoin=1', 'coinbase:ETH:polygon=1'],
    ].join(','),
  },
  calls,
  refusals: coinbaseRefusals,
  unlisted: [inV2(400, 'never_seen'), inV2(401, 'never_seen'), inV3(403, 'NEVER_SEEN'), inV2(400, 'toString')],
  // Coinbase does not document what it checks before it searches for an earlier transaction with the same `idem`.
  repeatsAreRefusedFirst: null,
  limits: [{ reply: inV2(429, 'rate_limit_exceeded'), of: 'credential', pauseMs: 1_000 }],
  networkEvidence: {},
  balances: {
    expected: [
      {
        asset: 'BTC',
        free: '1.230000000000000001',
        used: '2.1',
        total: '3.330000000000000001',
        withdrawable: '1.230000000000000001',
        elsewhere: [{ account: 'ACCOUNT_TYPE_VAULT', kind: 'locked', amount: '2' }],
      },
      { asset: 'CGLD', free: '7', used: '0', total: '7', withdrawable: '7' },
      { asset: 'EUR', free: '100.25', used: '0', total: '100.25', withdrawable: '100.25' },
      {
        asset: 'USDC',
        free: '50',
        used: '10',
        total: '60',
        withdrawable: '0',
        elsewhere: [{ account: 'ACCOUNT_PLATFORM_INTX', kind: 'free', amount: '50' }],
      },
    ],
    unreadable: {
      [route.held]: json({
        ...accounts.second,
        accounts: [
          ...[...accounts.first.accounts, ...accounts.second.accounts],
          { ...lastAccount, uuid: 'another', currency: 'ETH', available_balance: { value: 'much' } },
        ],
      }),
    },
  },
  otherAccounts: notServed('other portfolios'),
  keyInfo: {
    route: route.key,
    expected: { permissions: ['view', 'transfer'], ...nothing },
    least: {
      reply: json({ can_view: false, can_trade: false, can_transfer: false, can_receive: true }),
      expected: { permissions: ['receive'], ...nothing },
    },
  },
  withdrawals: {
    route: route.send,
    accepted: json(SENT, 201),
    exchangeIds: [SENT.data.id],
    withoutId: [json({}, 201), json({ data: {} }, 201), json({ data: { ...SENT.data, id: '' } }, 201), json(SENT, 202)],
    // Coinbase: "that previous transaction is returned and a new one is not created"
    repeated: json(SENT, 201),
    instruction: {
      asset: 'BTC',
      network: 'bitcoin',
      address: DESTINATION,
      tag: null,
      clientRef: CLIENT_REF,
      amountNoFee: Amount.of('0.001'),
      fee: FEE,
      amountWithFee: Amount.of('0.00133'),
    },
    tagged: null,
    amountIs: 'net',
    meaningOf: ({ json: sent }) => {
      const {
        to = '',
        amount = '',
        currency = '',
        destination_tag: tag = null,
        ...rest
      } = sent as Record<string, string>;
      const isSend = rest['type'] === 'send' && UUID.test(rest['idem'] ?? '') && rest['network'] === 'bitcoin';
      return { asset: currency, address: to, tag, amount: isSend ? amount : `another request of ${amount}` };
    },
    networks: {
      expected: [
        ['BTC', 'bitcoin', null],
        ['USDC', 'base', '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913'],
      ],
      listing: (entries) => ({ [route.wallets]: listed(entries) }),
      good: BTC,
      traps: {
        wrapped: [wallet('cbbtc', 'CBBTC', 8), ETH],
        bridged: 'Coinbase has one account for all networks of a token, and names no variants',
        contractless: [wallet('xyz', 'XYZ', 18)],
        unknown: [wallet('doge', 'DOGE', 8), EUR],
      },
      unreadable: [null, {}, { ...BTC, currency: 'BTC' }, wallet('1', 'BTC', 0.5)],
    },
  },
  orders: {
    route: route.place,
    // "Your JWT expires after 2 minutes"; `signature` checks the times in the token
    signedForMs: 120_000,
    accepted: json({ success: true, success_response: PLACED, error_response: { error: 'UNKNOWN_FAILURE_REASON' } }),
    exchangeIds: [PLACED.order_id],
    withoutId: [json({}), json({ success: true }), json({ success: false, success_response: PLACED })],
    // Coinbase: "the order corresponding with that ID will be returned instead"
    repeated: json({ success: true, success_response: PLACED }),
    instruction: {
      exchangeSymbol: 'BTC-USD',
      side: 'buy',
      type: 'limit',
      volume: Amount.of('0.001'),
      price: Amount.of('10000'),
    },
    meaningOf: ({ json: sent }) => {
      const { product_id: pair = '', side } = sent as Record<string, string>;
      const { order_configuration: forms = {} } = sent as {
        order_configuration?: Record<string, Record<string, string>>;
      };
      const [[name, { base_size: volume = '', limit_price: price = null } = {}] = [], ...others] =
        Object.entries(forms);
      if (others.length > 0) throw new UndocumentedRequest('the request has several configurations');
      if (JSON.stringify(forms).includes('"post_only":true'))
        throw new UndocumentedRequest('an order that would trade at once is refused');
      const type = typeIn(name, { market: 'market_market_ioc', limit: 'limit_limit_gtc' });
      return { pair, side: sideIn(side, { buy: 'BUY', sell: 'SELL' }), type, volume, price };
    },
    listing: (orders) => ({ [route.orders]: orderListing(orders) }),
    feeAsset: null,
  },
  deposits: {
    asset: 'USDC',
    methods: ['ethereum', 'solana', 'base', 'polygon'].map((id) => ({ exchangeMethodId: id, network: id })),
    method: 'base',
    addresses: ON_BASE.map((text) => ({ address: text, tag: null })),
    unsafe: { [route.addresses]: listed([address(DESTINATION, 'base')]) },
  },
  history: {
    entry: coinbaseTransfer,
    listing,
    endless: (_kind, one) => ({
      [route.wallets]: listed([BTC]),
      [route.transactions]: listed([one], '/v2/transactions?starting_after=the+same'),
    }),
    pageSize: 100,
    unitMs: 1000,
    windowDays: null,
  },
};
