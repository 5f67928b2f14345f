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
  UndocumentedRequest,
  type Meaning,
} from '../../testing/contract/documented.js';
import {
  json,
  type DocumentedCall,
  type ExchangeContract,
  type ListedEntry,
  type Reply,
  type SampleOrder,
} from '../../testing/contract/exchange-contract.js';
import type { ReceivedCall } from '../../testing/stub-exchange.js';
import {
  kucoinKey as KEY,
  kucoinLimits,
  kucoinNetworkEvidence,
  kucoinOrder,
  kucoinOrderMeaning,
  kucoinTransfer,
} from './kucoin-samples.js';
import { kucoinOtherAccounts } from './kucoin-accounts-contract.js';

/**
 * KuCoin as its documentation describes it: www.kucoin.com/docs-new/rest, its specification with samples in
 * github.com/Kucoin/kucoin-universal-sdk (November 2025), and the older pages in github.com/Kucoin/kucoin-api-docs.
 */

const ok = (data: unknown): Reply => json({ code: '200000', data });
const route = {
  key: 'GET /api/v1/user/api-key',
  accounts: 'GET /api/v1/accounts',
  currencies: 'GET /api/v3/currencies',
  withdraw: 'POST /api/v3/withdrawals',
  withdrawal: 'GET /api/v1/withdrawals',
  withdrawalById: 'GET /api/v1/withdrawals/{withdrawalId}',
  deposit: 'GET /api/v1/deposits',
  addresses: 'GET /api/v3/deposit-addresses',
  newAddress: 'POST /api/v3/deposit-address/create',
  place: 'POST /api/v1/hf/orders',
  order: 'GET /api/v1/hf/orders/{orderId}',
  orderByClientOid: 'GET /api/v1/hf/orders/client-order/{clientOid}',
} as const;

/**
 * Returns what is wrong with the signature of a request; null = nothing. docs-new/authentication: the signature is
 * "{timestamp+method+endpoint+body}", by HMAC SHA256 with the secret, in base64; the endpoint contains the query.
 * Requests with a key of version 3 state this version, and sign the passphrase in the same way.
 */
function signatureProblem(
  { headers, route: called, target, body }: ReceivedCall,
  { apiSecret, apiPassphrase }: ExchangeContract['credentials'][number],
): string | null {
  const [method = ''] = called.split(' ');
  const signed = (text: string): string =>
    createHmac('sha256', apiSecret?.reveal() ?? '')
      .update(text)
      .digest('base64');
  const timestamp = String(headers['kc-api-timestamp']);
  if (headers['kc-api-sign'] !== signed(timestamp + method + decodeURIComponent(target) + body))
    return 'the signature is wrong';
  if (headers['kc-api-passphrase'] !== signed(apiPassphrase?.reveal() ?? '')) return 'the passphrase is wrong';
  if (headers['kc-api-key-version'] !== '3') return 'the version of the key is wrong';
  if (headers['kc-api-partner'] !== undefined) return 'another partner is named';
  return /^\d{13}$/.test(timestamp) ? null : 'the time is not in milliseconds';
}

/** KuCoin's documentation: spot-trading/market-data/get-all-currencies */
const CHAIN = {
  chainName: 'BTC',
  withdrawalMinSize: '0.001',
  depositMinSize: '0.0002',
  withdrawFeeRate: '0',
  withdrawalMinFee: '0.0005',
  isWithdrawEnabled: true,
  isDepositEnabled: true,
  confirms: 3,
  preConfirms: 1,
  contractAddress: '',
  withdrawPrecision: 8,
  maxWithdraw: null,
  maxDeposit: null,
  needTag: false,
  chainId: 'btc',
};
const WRAPPED = '0xfa93c12cd345c658bc4644d1d4e1b9615952258c';
const KCC = { ...CHAIN, chainName: 'KCC', chainId: 'kcc', contractAddress: WRAPPED };
const SEGWIT = { ...CHAIN, chainName: 'BTC-Segwit', chainId: 'bech32' };
const LIGHTNING = { ...CHAIN, chainName: 'Lightning Network', chainId: 'btcln', withdrawalMinFee: '0.000015' };
const currency = (id: string, ...chains: unknown[]) => ({
  currency: id,
  name: id,
  fullName: id,
  precision: 8,
  confirms: null,
  contractAddress: null,
  isMarginEnabled: true,
  isDebitEnabled: true,
  chains,
});
const chain = (id: string, chainId: string, contractAddress: string | undefined, rest: object = {}) =>
  currency(id, { ...CHAIN, chainId, chainName: chainId.toUpperCase(), contractAddress, ...rest });
const BITCOIN = currency('BTC', CHAIN, KCC, SEGWIT);
const CURRENCIES = [
  currency('BTC', CHAIN, LIGHTNING, KCC, SEGWIT),
  chain('XRP', 'xrp', '', { needTag: true, withdrawalMinFee: '0.2', withdrawPrecision: 6 }),
  chain('USDT', 'eth', '0xdac17f958d2ee523a2206206994597c13d831ec7', { withdrawPrecision: 6 }),
  // Recorded lists have chains without a precision of their own: github.com/JKorf/Kucoin.Net, GetAssets.txt.
  chain('LTC', 'ltc', '', { withdrawPrecision: undefined, maxWithdraw: undefined, needTag: undefined }),
  // Dollars exist on no chain.
  { ...currency('USD'), chains: null },
];

/** account-info/deposit/get-deposit-address-v3, with another address: the documented addresses of BTC are masked. */
const ADDRESS = {
  address: '33xW37ZSW4tQvg443Pc7NLCAs167Yc2XUV',
  memo: '',
  chainId: 'btc',
  to: 'MAIN',
  expirationDate: 0,
  currency: 'BTC',
  contractAddress: '',
  chainName: 'BTC',
};
const EVM_ADDRESS = '0x551e823a3b36865e8c5dc6e6ac6cc0b00d98533e';
const ADDRESSES = [ADDRESS, { ...ADDRESS, address: EVM_ADDRESS, chainId: 'kcc', chainName: 'KCC' }];

/** KuCoin's documentation: account-info/account-funding/get-account-list-spot */
const TRADE = { id: '548674591753', currency: 'USDT', type: 'trade', balance: '26.66759503', available: '26.66759503' };
const MAIN = { ...TRADE, id: '63355cd156298d0001b66e61', type: 'main', balance: '0.01', available: '0.01' };
const ACCOUNTS = [TRADE, MAIN].map((account) => ({ ...account, holds: '0.02' }));
const ACCEPTED = { withdrawalId: '670deec84d64da0007d7c946' };
const PLACED = { orderId: '670fd33bf9406e0007ab3945', clientOid: '5c52e11203aa677f33e493fb' };

const page: DocumentedCall['parameters'] = {
  currency: 'text?',
  status: 'text?',
  startAt: 'integer?',
  endAt: 'integer?',
  currentPage: 'integer?',
  pageSize: 'integer?',
};
const NO_ORDER = refusal('400100', 'order not exist.');
const calls: Record<string, DocumentedCall> = {
  [route.key]: { parameters: {}, answer: ok(KEY) },
  [route.accounts]: { parameters: { currency: 'text?', type: 'text?' }, answer: ok(ACCOUNTS) },
  [route.currencies]: {
    parameters: {},
    answer: ok(CURRENCIES),
    isPublic: true,
    // "maxWithdraw: Maximum amount of single withdrawal", a text or null
    also: { 'data[].chains[].maxWithdraw': ['1'], 'data[].chains[].maxDeposit': ['1'] },
  },
  [route.withdraw]: {
    parameters: {
      currency: 'text',
      chain: 'text?',
      amount: 'decimal',
      memo: 'text?',
      isInner: 'boolean?',
      remark: 'text?',
      feeDeductType: 'text?',
      toAddress: 'text',
      withdrawType: 'text',
    },
    answer: ok(ACCEPTED),
  },
  [route.withdrawal]: { parameters: page, answer: pageOf([]) },
  [route.withdrawalById]: { parameters: {}, answer: refusal('400100') },
  [route.deposit]: { parameters: page, answer: pageOf([]) },
  [route.addresses]: { parameters: { currency: 'text', amount: 'text?', chain: 'text?' }, answer: ok(ADDRESSES) },
  [route.newAddress]: {
    parameters: { currency: 'text', chain: 'text', to: 'text?', amount: 'text?' },
    answer: ok(ADDRESS),
  },
  [route.place]: {
    parameters: {
      clientOid: 'text?',
      side: 'text',
      symbol: 'text',
      type: 'text',
      price: 'decimal?',
      size: 'decimal?',
      funds: 'decimal?',
      timeInForce: 'text?',
      remark: 'text?',
      tags: 'text?',
      stp: 'text?',
      allowMaxTimeWindow: 'integer?',
      clientTimestamp: 'integer?',
    },
    answer: ok(PLACED),
  },
  [route.order]: { parameters: { symbol: 'text' }, answer: NO_ORDER },
  [route.orderByClientOid]: { parameters: { symbol: 'text' }, answer: NO_ORDER },
};

/** A refusal. KuCoin: "When errors occur, the HTTP error code or system error code will be returned." */
function refusal(code: string, msg = 'a text', status = 200): Reply {
  return json({ code, msg }, status);
}

type Texts = Record<string, string>;
const credential = (rest: Partial<Meaning> = {}): Meaning => ({ grade: 'credentials', of: 'all', ...rest });
const permission = all({ grade: 'permission', isDefinite: true });
const noBalance = ifNew('WITHDRAWAL_INSUFFICIENT_BALANCE');
const noFunds = order(ifNew('GENERIC_INVALID_REQUEST', 'insufficient_balance'));
const notSaved = refused('WITHDRAWAL_INVALID_ADDRESS', 'address_not_allowlisted');
const tooCheap = order(ifNew('GENERIC_VALIDATION_ERROR', 'below_minimum_volume'));
const tooSmall = order(refused('GENERIC_VALIDATION_ERROR', 'below_minimum_volume'));

/**
 * Codes and messages with their meaning and HTTP status (default: 200). Sources:
 * docs/basic-info/errors-code/spot-errors-code, "Gateway error code" of docs-new/error-code/websocket, the pages of the
 * calls, and the responses that ccxt 4.5.84 quotes.
 */
const documentedErrors: readonly (readonly [code: string, message: string, meaning: Meaning, status?: number])[] = [
  ['400001', 'Please check the URL of your request.', all(fault), 401],
  ['400001', 'Any of KC-API-KEY, KC-API-SIGN, … is missing in your request header', all(fault), 401],
  ['400002', 'Invalid KC-API-TIMESTAMP.', all(fault), 401],
  ['400003', 'KC-API-KEY does not exist.', credential(), 401],
  ['400004', 'Invalid KC-API-PASSPHRASE.', credential(), 401],
  ['400005', 'Invalid KC-API-SIGN.', credential({ reason: 'invalid_signature', isDefinite: true }), 401],
  ['400006', 'Invalid request IP, the current client IP is: %s.', all({ grade: 'ip_not_allowed' })],
  ['400007', 'Access denied, requires more permission.', permission],
  ['400008', 'V1 & V2 API keys are no longer supported by this API.', credential({ reason: 'key_version' })],
  ['400009', 'Invalid KC-API-KEY-VERSION.', credential({ reason: 'key_version' })],
  ['400010', 'UID access denied, requires more permission.', permission],
  ['411100', 'User are frozen', all(ifNew(undefined, 'account_locked'))],
  ['429000', 'Too many requests', all({ grade: 'pause' }), 429],
  ['200002', 'Too many requests in a short period of time, please retry later', all({ grade: 'pause' })],
  ['500000', 'Internal Server Error', all(fault), 500],
  ['400100', 'Invalid Parameter.', all(ifNew(undefined, 'invalid_arguments')), 400],
  // KuCoin's support on this message: "The actual reason … is that your deposit account balance is insufficient."
  ['400100', 'request parameter illegal', all(ifNew())],
  ['400100', 'account.available.amount', noBalance],
  ['400100', 'The withdrawal amount is below the minimum requirement.', refused('WITHDRAWAL_AMOUNT_BELOW_MINIMUM')],
  ['400100', 'kucoin incorrect withdrawal address', refused('WITHDRAWAL_INVALID_ADDRESS')],
  ['400100', 'The amount increment is invalid.', refused(undefined, 'amount_not_representable')],
  ['200004', 'Balance insufficient', noBalance],
  ['230003', 'Balance insufficient!', noBalance],
  ['260100', 'account.noBalance', noBalance],
  ['260210', 'withdraw.disabled', ifNew(undefined, 'withdrawals_disabled')],
  ['260220', 'deposit.address.not.exists', ifNew('DEPOSIT_ADDRESS_UNAVAILABLE')],
  ['260000', 'Deposit address already exists.', ifNew('DEPOSIT_ADDRESS_UNAVAILABLE')],
  ['260325', 'Already set withdraw whitelist, this address is not favorite address', notSaved],
  [
    '400301',
    'Operation restricted due to local laws, regulations, or policies',
    all(ifNew(undefined, 'country_not_served')),
  ],
  ['400303', 'we kindly request you complete the identity verification process.', ifNew('WITHDRAWAL_KYC_REQUIRED')],
  ['126047', 'Please complete identity verification', ifNew('WITHDRAWAL_KYC_REQUIRED')],
  ['order_not_exist', 'order_not_exist', ifNew('TRADING_ORDER_NOT_FOUND')],
  ['900014', 'Invalid chainId', refused('WITHDRAWAL_NETWORK_NOT_SUPPORTED')],
  ['200001', 'Order creation for this pair suspended', order(ifNew('TRADING_ROUTE_UNAVAILABLE'))],
  ['200003', 'Number of orders breached the limit', order(ifNew('GENERIC_INVALID_REQUEST'))],
  ['200004', 'Balance insufficient', noFunds],
  ['200009', 'Please complete the KYC verification before you trade XX', order(ifNew(undefined, 'kyc_required'))],
  ['400100', 'account.available.amount', noFunds],
  ['400100', 'validation.createOrder.clientOidDuplicated', order(fault)],
  ['400100', 'Order size below the minimum requirement.', tooSmall],
  ['400100', 'Unsupported trading pair.', order(ifNew('TRADING_ROUTE_NOT_FOUND'))],
  ['400200', 'Forbidden to place an order', order(ifNew(undefined, 'account_not_permitted'))],
  ['400200', 'Unknown partner.', order(fault)],
  ['400500', 'Your located country/region is currently not supported', order(ifNew())],
  ['400600', 'validation.createOrder.symbolNotAvailable', order(ifNew('TRADING_ROUTE_UNAVAILABLE'))],
  ['400700', 'Transaction restricted, there’s a risk problem in your account', order(ifNew())],
  ['600100', 'Order size increment invalid.', order(refused('GENERIC_VALIDATION_ERROR', 'invalid_volume'))],
  ['600100', 'Funds below the minimum requirement.', tooCheap],
  ['600203', 'Symbol XXX-XXX cant be traded', order(ifNew('TRADING_ROUTE_UNAVAILABLE'))],
  ['900001', 'symbol not exists', order(refused('TRADING_ROUTE_NOT_FOUND'))],
];

function pageOf(items: readonly unknown[], currentPage = 1, pageSize = 50, totalNum = items.length): Reply {
  return ok({ currentPage, pageSize, totalNum, totalPage: Math.ceil(totalNum / pageSize), items });
}

/** Latest records first, as KuCoin documents. The record of a single id has `chainId` instead of `chain`. */
function listing(kind: HistoryKind, entries: readonly ListedEntry[]): Record<string, DocumentedCall['answer']> {
  return {
    [route[kind]]: ({ params }) => {
      const [since, until] = [Number(params['startAt'] ?? 0), Number(params['endAt'] ?? Infinity)];
      const [number, size] = [Number(params['currentPage'] ?? 1), Number(params['pageSize'] ?? 50)];
      const found = newestIn(entries, since, until).filter(({ entry: one }) =>
        [undefined, (one as { currency: string }).currency].includes(params['currency']),
      );
      const items = found.slice((number - 1) * size, number * size).map((one) => one.entry);
      return pageOf(items, number, size, found.length);
    },
    [route.withdrawalById]: ({ endpoint }) => {
      const found = entries.find(({ id }) => id === endpoint);
      if (found === undefined) return refusal('400100');
      const { chain: chainId, ...one } = found.entry as { chain: string };
      return ok({ ...one, chainId, cancelType: 'NON_CANCELABLE', returnStatus: 'NOT_RETURN' });
    },
  };
}

const permissions = ['General', 'Futures', 'Spot', 'Earn', 'InnerTransfer', 'Transfer', 'Margin'];
const none = { validUntil: null, lastUsed: null, modifiedTime: null };

/** KuCoin's documentation, as data for the contract suite. */
export const kucoinContract: ExchangeContract = {
  credentials: accountsWith('apiSecret', 'apiPassphrase'),
  noncesMustRise: false,
  signature: {
    keyOf: ({ headers }) => (headers['kc-api-key'] as string | undefined) ?? null,
    check: () => signatureProblem,
  },
  calls,
  refusals: documentedErrors.map(([code, message, meaning, status = 200]) => ({
    ...meaning,
    name: `${code} ${message}`,
    reply: refusal(code, message, status),
  })),
  unlisted: [
    refusal('260999'),
    refusal('toString'),
    refusal('200002', 'Order cancel …'),
    json({ code: '400200' }, 400),
  ],
  repeatsAreRefusedFirst: null,
  limits: kucoinLimits,
  networkEvidence: kucoinNetworkEvidence,
  otherAccounts: kucoinOtherAccounts,
  balances: {
    expected: [
      {
        asset: 'USDT',
        free: '26.67759503',
        used: '0.04',
        total: '26.71759503',
        withdrawable: '0.01',
        elsewhere: [{ account: 'trade', kind: 'free', amount: '26.66759503' }],
      },
    ],
    unreadable: { [route.accounts]: ok([...ACCOUNTS, { ...MAIN, currency: 'BTC', holds: 'much' }]) },
  },
  keyInfo: {
    route: route.key,
    expected: { ...none, permissions, ipAllowlist: ['203.0.113.154', '203.0.113.34'], createdTime: 1728443843 },
    least: {
      reply: ok({ permission: 'General' }),
      expected: { ...none, permissions: ['General'], ipAllowlist: [], createdTime: null },
    },
  },
  withdrawals: {
    route: route.withdraw,
    accepted: ok(ACCEPTED),
    exchangeIds: [ACCEPTED.withdrawalId],
    withoutId: [ok(null), ok({}), ok({ withdrawalId: '' }), json({ code: '200000' }), json({ data: ACCEPTED })],
    // The documentation does not say that KuCoin refuses a repeat. The second copy is then one more withdrawal, for
    // which the balance is too low here.
    repeated: refusal('260100', 'account.noBalance'),
    instruction: {
      asset: 'BTC',
      network: 'bitcoin',
      address: '17DKe3kkkkiiiiTvAKKi2vMPbm1Bz3CMKw',
      tag: null,
      clientRef: 'ab12',
      amountNoFee: Amount.of('0.1'),
      fee: Amount.of('0.0005'),
      amountWithFee: Amount.of('0.1005'),
    },
    tagged: {
      asset: 'XRP',
      network: 'ripple',
      address: 'rNFugeoj3ZN8Wv6xhuLegUBBPXKCyWLRkB',
      tag: '1919537769',
      clientRef: 'cd34',
      amountNoFee: Amount.of('20.5'),
      fee: Amount.of('0.2'),
      amountWithFee: Amount.of('20.7'),
    },
    // KuCoin: "EXTERNAL: Deduct the transaction fees from your main account", "INTERNAL: … from your withdrawal amount"
    amountIs: 'net',
    meaningOf: ({ json: sent }) => {
      const { currency: asset = '', toAddress: address = '', memo: tag = null, ...rest } = sent as Texts;
      if (rest['feeDeductType'] !== 'EXTERNAL') throw new UndocumentedRequest('the account does not pay the fee');
      return { asset, address, tag, amount: rest['amount'] ?? '' };
    },
    networks: {
      expected: [
        ['BTC', 'bitcoin', null],
        ['BTC', 'lightning', null],
        ['XRP', 'ripple', null],
        ['LTC', 'litecoin', null],
        ['USDT', 'ethereum', '0xdAC17F958D2ee523a2206206994597C13D831ec7'],
      ],
      listing: (entries) => ({ [route.currencies]: ok(entries) }),
      good: BITCOIN,
      traps: {
        wrapped: [currency('BTC', KCC), chain('BTC', 'bsc', WRAPPED), chain('ETH', 'trx', '')],
        // The contracts are those of USDC.e on Arbitrum and on Optimism, and not those of USDC.
        bridged: [
          chain('USDC', 'arbitrum', '0xff970a61a04b1ca14834a43f5de4533ebddb5cc8'),
          chain('USDC', 'optimism', '0x7f5c764cbc14f9669b88837ca1490cca17c31607'),
        ],
        contractless: [chain('USDT', 'eth', ''), chain('USDT', 'eth', undefined)],
        unknown: [
          chain('USDT', 'kcc', '0x0039f574ee5cc39bdd162e9a88e3eb1f111baf48'),
          chain('ETH', 'never seen', ''),
          // The name of this coin has changed, so its code may mean another coin.
          { ...chain('ATOM', 'atom', ''), name: 'ATOM2' },
        ],
      },
      unreadable: [
        null,
        {},
        { ...currency('ETH'), chains: 'eth' },
        chain('ETH', 'eth', '', { withdrawalMinFee: 'a lot' }),
        chain('ETH', 'eth', '', { withdrawPrecision: -1 }),
        currency('ETH', null),
      ],
    },
  },
  orders: {
    route: route.place,
    signedForMs: 5_000, // "within 5 seconds of the API service time"
    accepted: ok(PLACED),
    exchangeIds: [PLACED.orderId],
    withoutId: [ok(null), ok({}), ok({ ...PLACED, orderId: '' }), json({ code: '200000' })],
    repeated: refusal('400100', 'validation.createOrder.clientOidDuplicated'),
    instruction: {
      exchangeSymbol: 'BTC-USDT',
      side: 'buy',
      type: 'limit',
      volume: Amount.of('0.00001'),
      price: Amount.of('50000'),
    },
    meaningOf: kucoinOrderMeaning,
    listing: (orders) => {
      const reply = (one?: SampleOrder): Reply => (one === undefined ? NO_ORDER : ok(kucoinOrder(one)));
      return {
        [route.order]: ({ endpoint }) => reply(orders.find(({ exchangeId }) => exchangeId === endpoint)),
        [route.orderByClientOid]: ({ endpoint }) =>
          reply(orders.find(({ clientOrderId }) => clientOrderId === endpoint)),
      };
    },
    feeAsset: 'USDT',
  },
  deposits: {
    asset: 'BTC',
    methods: [
      { exchangeMethodId: 'btc', network: 'bitcoin' },
      { exchangeMethodId: 'btcln', network: 'lightning' },
    ],
    method: 'btc',
    addresses: [{ address: ADDRESS.address, tag: null }],
    unsafe: { [route.addresses]: ok([{ ...ADDRESS, address: EVM_ADDRESS }]) },
  },
  history: {
    entry: kucoinTransfer,
    listing,
    endless: (kind, one) => ({ [route[kind]]: pageOf([one], 1, 1, 2) }),
    depositsHaveNoIds: true,
    pageSize: 500,
    unitMs: 1,
    // The documentation states no maximum for a period.
    windowDays: null,
  },
};
