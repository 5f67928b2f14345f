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
  type Reply,
  type SampleRecord,
} from '../../testing/contract/exchange-contract.js';
import type { ReceivedCall } from '../../testing/stub-exchange.js';
import { okxBill, okxOrder, okxOrderMeaning, okxNetworkEvidence } from './okx-samples.js';
import { okxOtherAccounts } from './okx-accounts-contract.js';

/**
 * OKX as its documentation describes it: www.okx.com/docs-v5/en (June 2026). The responses repeat the documented
 * examples.
 */

const ok = (...data: unknown[]): Reply => json({ code: '0', msg: '', data });
const route = {
  account: 'GET /api/v5/account/config',
  funding: 'GET /api/v5/asset/balances',
  trading: 'GET /api/v5/account/balance',
  currencies: 'GET /api/v5/asset/currencies',
  withdraw: 'POST /api/v5/asset/withdrawal',
  withdrawal: 'GET /api/v5/asset/withdrawal-history',
  deposit: 'GET /api/v5/asset/deposit-history',
  addresses: 'GET /api/v5/asset/deposit-address',
  place: 'POST /api/v5/trade/order',
  order: 'GET /api/v5/trade/order',
  trades: 'GET /api/v5/trade/fills-history',
  bills: 'GET /api/v5/asset/bills',
} as const;

/**
 * Returns what is wrong with the signature; null = nothing. OKX's documentation,
 * #overview-rest-authentication-signature: "timestamp + method + requestPath + body", HMAC SHA256 with the secret key,
 * in base64; the request path contains the query.
 */
function signatureProblem(
  { headers, route: called, target, body }: ReceivedCall,
  { apiSecret, apiPassphrase }: ExchangeContract['credentials'][number],
): string | null {
  const [method = ''] = called.split(' ');
  const timestamp = String(headers['ok-access-timestamp']);
  const hmac = createHmac('sha256', apiSecret?.reveal() ?? '');
  const sign = hmac.update(timestamp + method + target + body).digest('base64');
  if (headers['ok-access-sign'] !== sign) return 'the signature is wrong';
  if (headers['ok-access-passphrase'] !== apiPassphrase?.reveal()) return 'the passphrase is wrong';
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(timestamp) ? null : 'the time is not in ISO form';
}

/** OKX's documentation: #funding-account-rest-api-get-currencies */
const BITCOIN = {
  burningFeeRate: '',
  canDep: true,
  canInternal: true,
  canWd: true,
  ccy: 'BTC',
  chain: 'BTC-Bitcoin',
  ctAddr: '',
  depEstOpenTime: '',
  depQuotaFixed: '',
  depQuoteDailyLayer2: '',
  fee: '0.00005',
  mainNet: true,
  maxFee: '0.00005',
  maxWd: '500',
  minDep: '0.0005',
  minDepArrivalConfirm: '1',
  minFee: '0.00005',
  minInternal: '0.0001',
  minWd: '0.0005',
  minWdUnlockConfirm: '2',
  name: 'Bitcoin',
  needTag: false,
  usedDepQuotaFixed: '',
  usedWdQuota: '0',
  wdEstOpenTime: '',
  wdQuota: '10000000',
  wdTickSz: '8',
};
const other = (ccy: string, chain: string, ctAddr: string, rest: object = {}) => ({
  ...BITCOIN,
  ccy,
  chain: `${ccy}-${chain}`,
  ctAddr,
  mainNet: false,
  ...rest,
});
const RIPPLE = other('XRP', 'Ripple', '', { fee: '0.1', minWd: '0.9', wdTickSz: '6', needTag: true });
const TETHER = other('USDT', 'ERC20', '831ec7', { fee: '1', minWd: '2', wdTickSz: '6' });
/**
 * The name "Arbitrum one", with a small letter, was recorded in December 2022: rotki/rotki,
 * rotkehlchen/tests/exchanges/test_okx.py.
 */
const ARBITRUM = other('USDT', 'Arbitrum one', 'fcbb9', { fee: '0.1', minWd: '1', wdTickSz: '6' });

/** OKX's documentation: #funding-account-rest-api-get-deposit-address */
const DEPOSIT_ADDRESSES = [
  ['BTC-Bitcoin', '', '39XNxK1Ryqgg3Bsyn6HzoqV4Xji25pNkv6'],
  ['BTC-OKC', '', '0x66d0edc2e63b6b992381ee668fbcb01f20ae0428'],
  ['BTC-ERC20', '5807cf', '0x66d0edc2e63b6b992381ee668fbcb01f20ae0428'],
].map(([chain, ctAddr, addr]) => ({
  chain,
  ctAddr,
  ccy: 'BTC',
  to: '6',
  addr,
  verifiedName: 'John Corner',
  selected: true,
}));

/** OKX's documentation: #trading-account-rest-api-get-balance */
const TRADING = {
  details: [{ ccy: 'USDT', availBal: '4834.317093622894', cashBal: '4850.435693622894', frozenBal: '158.573' }],
};
/** OKX's documentation: #funding-account-rest-api-get-balance. The frozen amount is ours. */
const FUNDING = { availBal: '37.11827078', bal: '37.61827078', ccy: 'ETH', frozenBal: '0.5' };
/** OKX's documentation: #trading-account-rest-api-get-account-configuration */
const ACCOUNT = { acctLv: '2', ip: '117.37.203.58,117.37.203.57', label: 'v5 test', perm: 'read_only,withdraw,trade' };
/** OKX's documentation: #funding-account-rest-api-withdrawal */
const ACCEPTED = { amt: '0.1', wdId: '67485', ccy: 'BTC', clientId: '', chain: 'BTC-Bitcoin' };
/** OKX's documentation: #order-book-trading-trade-post-place-order */
const PLACED = { clOrdId: 'b15', ordId: '312269865356374016', tag: '', ts: '1695190491421', sCode: '0', sMsg: '' };

const page = {
  ccy: 'text?',
  after: 'integer?',
  before: 'integer?',
  limit: 'integer?',
  type: 'text?',
  state: 'text?',
} as const;
const calls: Record<string, DocumentedCall> = {
  [route.account]: { parameters: {}, answer: ok(ACCOUNT) },
  [route.funding]: { parameters: { ccy: 'text?' }, answer: ok(FUNDING) },
  [route.trading]: { parameters: { ccy: 'text?' }, answer: ok(TRADING) },
  [route.currencies]: { parameters: { ccy: 'text?' }, answer: ok(BITCOIN, RIPPLE, TETHER, ARBITRUM) },
  [route.withdraw]: {
    parameters: {
      ccy: 'text',
      amt: 'decimal',
      dest: 'text',
      toAddr: 'text',
      chain: 'text?',
      clientId: 'text?',
      rcvrInfo: 'object?',
      areaCode: 'text?',
      toAddrType: 'text?',
    },
    answer: ok(ACCEPTED),
  },
  [route.withdrawal]: { parameters: { ...page, wdId: 'text?', clientId: 'text?', txId: 'text?' }, answer: ok() },
  [route.deposit]: { parameters: { ...page, depId: 'text?', txId: 'text?' }, answer: ok() },
  [route.addresses]: { parameters: { ccy: 'text' }, answer: ok(...DEPOSIT_ADDRESSES) },
  [route.place]: {
    parameters: {
      instId: 'text',
      tdMode: 'text',
      clOrdId: 'text?',
      side: 'text',
      ordType: 'text',
      sz: 'decimal',
      px: 'decimal?',
      tgtCcy: 'text?',
      banAmend: 'boolean?',
      tag: 'text?',
    },
    answer: ok(PLACED),
  },
  [route.order]: { parameters: { instId: 'text', ordId: 'text?', clOrdId: 'text?' }, answer: refusal('51603') },
  [route.bills]: { parameters: { ...page, clientId: 'text?' }, answer: ok(okxBill) },
  [route.trades]: { parameters: { instType: 'text', instId: 'text?', ordId: 'text?' }, answer: ok() },
};

function refusal(code: string): Reply {
  return json({ code, msg: 'a text', data: [] });
}

const travelRule = ifNew(undefined, 'travel_rule');

/** OKX's documentation, #error-code-rest-api: the codes with their HTTP status and meaning. */
const documentedErrors: readonly (readonly [code: string, status: number, meaning: Meaning])[] = [
  ['50001', 503, all(fault)],
  ['50004', 400, all(fault)],
  ['50011', 200, all({ grade: 'pause' })],
  ['50011', 429, all({ grade: 'pause' })],
  ['50013', 429, all(fault)],
  ['50026', 500, all(fault)],
  ['50101', 401, all({ grade: 'credentials', reason: 'other_environment' })],
  ['50102', 401, all(fault)],
  ['50105', 401, all({ grade: 'credentials' })],
  ['50110', 401, all({ grade: 'ip_not_allowed' })],
  ['50111', 401, all({ grade: 'credentials' })],
  ['50113', 401, all({ grade: 'credentials', isDefinite: true, reason: 'invalid_signature' })],
  ['50119', 200, all({ grade: 'credentials', reason: 'unknown_key' })],
  ['50120', 200, all({ grade: 'permission', isDefinite: true })],
  ...['50000', '50002', '50006', '50014', '50015', '50016'].map(
    (code) => [code, 400, all(refused(undefined, 'invalid_arguments'))] as const,
  ),
  ['51000', 400, all(ifNew(undefined, 'invalid_arguments'))],
  ['50024', 200, all(refused(undefined, 'invalid_arguments'))],
  ['50030', 200, all({ grade: 'permission', isDefinite: true })],
  ...['58010', '58200', '58226'].map((code) => [code, 200, ifNew('WITHDRAWAL_NETWORK_NOT_SUPPORTED')] as const),
  ['58013', 200, ifNew(undefined, 'withdrawals_disabled')],
  ['58102', 429, { grade: 'pause' }],
  ['58201', 200, ifNew('WITHDRAWAL_AMOUNT_ABOVE_MAXIMUM', 'daily_limit')],
  ['58204', 200, ifNew(undefined, 'account_locked')],
  ['58205', 200, refused('WITHDRAWAL_AMOUNT_ABOVE_MAXIMUM')],
  ['58206', 200, refused('WITHDRAWAL_AMOUNT_BELOW_MINIMUM')],
  ['58203', 200, refused('WITHDRAWAL_INVALID_ADDRESS', 'address_not_allowlisted')],
  ['58207', 200, refused('WITHDRAWAL_INVALID_ADDRESS', 'address_not_allowlisted')],
  ['58208', 200, refused('WITHDRAWAL_EMAIL_UNVERIFIED')],
  ['58209', 200, refused(undefined, 'sub_account')],
  ...['58210', '58248', '58249'].map((code) => [code, 200, ifNew(undefined, 'app_only')] as const),
  ['58221', 200, refused('WITHDRAWAL_INVALID_ADDRESS', 'tag_missing')],
  ['58222', 200, refused('WITHDRAWAL_INVALID_ADDRESS')],
  ['58224', 200, ifNew(undefined, 'internal_address')],
  ['58229', 200, ifNew('WITHDRAWAL_INSUFFICIENT_BALANCE_FOR_FEE')],
  ...['58011', '58230', '58233', '58235', '58240'].map(
    (code) => [code, 200, ifNew('WITHDRAWAL_KYC_REQUIRED')] as const,
  ),
  ['58237', 200, travelRule],
  ['58238', 200, travelRule],
  ['58239', 200, travelRule],
  ['58254', 200, travelRule],
  ['58301', 200, ifNew('DEPOSIT_ADDRESS_UNAVAILABLE')],
  ['58303', 200, ifNew('DEPOSIT_METHODS_UNAVAILABLE')],
  ['58305', 200, ifNew('DEPOSIT_ADDRESS_UNAVAILABLE', 'kyc_required')],
  ['58350', 200, ifNew('WITHDRAWAL_INSUFFICIENT_BALANCE')],
  ['51603', 200, ifNew('TRADING_ORDER_NOT_FOUND')],
  ['50036', 200, order(fault)],
  ['51001', 200, order(refused('TRADING_ROUTE_NOT_FOUND'))],
  ['51008_1000', 200, order(ifNew('GENERIC_INVALID_REQUEST', 'insufficient_balance'))],
  ['51016', 200, order(fault)],
  ['51020', 200, order(refused('GENERIC_VALIDATION_ERROR'))],
  ['51149', 500, order(fault)],
  // "Account status invalid. Check account status"
  ['50012', 200, all(ifNew(undefined, 'account_locked'))],
  // "complete additional steps as required by your local regulators"
  ['50059', 200, all(ifNew(undefined, 'account_not_permitted'))],
  // "please complete the identity verification process to continue using our services"
  ['50060', 200, ifNew('WITHDRAWAL_KYC_REQUIRED')],
  // Change log of 7 April 2026: "KYC level 2 or above is required for placing orders"
  ...['50060', '59113'].map((code) => [code, 200, order(ifNew(undefined, 'kyc_required'))] as const),
  // "set to prohibit transactions in this currency", "verify trading this instrument is allowed"
  ...['50032', '50033'].map((code) => [code, 200, order(ifNew(undefined, 'account_not_permitted'))] as const),
];

/**
 * OKX reports the error of an order in the entry of the order: "It is `sCode` and `sMsg` that represent the request
 * result".
 */
function replyOf(code: string, status: number, { of }: Meaning): Reply {
  if (of !== 'order') return json({ code, msg: 'a text', data: [] }, status);
  return json({ code: '1', msg: 'a text', data: [{ clOrdId: 'b15', ordId: '', sCode: code, sMsg: 'a text' }] }, status);
}

/**
 * OKX's documentation: #funding-account-rest-api-get-withdrawal-history, #funding-account-rest-api-get-deposit-history.
 * It has no final state for a failed deposit, so such a deposit is pending.
 */
const states = {
  withdrawal: { pending: '1', completed: '2', failed: '-1', 'unheard of': '99' },
  deposit: { pending: '0', completed: '2', failed: '0', 'unheard of': '99' },
} as const;
const chains: Readonly<Record<string, string>> = { BTC: 'BTC-Bitcoin', XRP: 'XRP-Ripple' };

function entry(
  kind: HistoryKind,
  { id, at, asset, address, tag, net, fee, feeAsset: feeCcy = asset, clientRef, state, status }: SampleRecord,
): object {
  return {
    ccy: asset,
    chain: chains[asset],
    amt: net.toString(),
    to: address,
    txId: 'aa',
    ts: String(at.getTime()),
    state: status ?? states[kind][state],
    from: '',
    ...(tag !== null && { tag }),
    ...(kind === 'deposit'
      ? { depId: id, fromWdId: '', actualDepBlkConfirm: '2' }
      : { wdId: id, fee: fee.toString(), feeCcy, clientId: clientRef ?? '' }),
  };
}

/** OKX: "after: records earlier than the requested ts", "before: records newer than the requested ts". */
function listing(kind: HistoryKind, entries: readonly ListedEntry[]): Record<string, DocumentedCall['answer']> {
  return {
    [route[kind]]: ({ params }) => {
      const [after, before] = [Number(params['after'] ?? Infinity), Number(params['before'] ?? 0)];
      const found = newestIn(entries, before + 1, after - 1)
        .filter(({ id }) => id === (params['wdId'] ?? params['depId'] ?? id))
        .filter((one) => params['clientId'] === undefined || clientIdOf(one) === params['clientId']);
      return ok(...found.slice(0, Number(params['limit'] ?? 100)).map((one) => one.entry));
    },
  };
}

function clientIdOf({ entry: one }: ListedEntry): string | undefined {
  return (one as { clientId?: string }).clientId;
}

const FEE = Amount.of('0.00005');

/** OKX's documentation, as data for the contract suite. */
export const okxContract: ExchangeContract = {
  credentials: accountsWith('apiSecret', 'apiPassphrase'),
  noncesMustRise: false,
  signature: {
    keyOf: ({ headers }) => (headers['ok-access-key'] as string | undefined) ?? null,
    check: () => signatureProblem,
  },
  calls,
  refusals: documentedErrors.map(([code, status, meaning]) => ({
    ...meaning,
    name: `${code} with HTTP ${status}`,
    reply: replyOf(code, status, meaning),
  })),
  unlisted: [
    refusal('58999'),
    refusal('1'),
    refusal('toString'),
    json({ code: '1', data: [{ sCode: '59999', sMsg: '' }] }),
    json({ code: '51000', msg: 'Parameter clientId error', data: [] }, 400),
  ],
  repeatsAreRefusedFirst: null,
  limits: [{ reply: replyOf('50011', 429, all({ grade: 'pause' })), of: 'endpoint', pauseMs: 2_000 }],
  networkEvidence: okxNetworkEvidence,
  otherAccounts: okxOtherAccounts,
  balances: {
    expected: [
      { asset: 'ETH', free: '37.11827078', used: '0.5', total: '37.61827078', withdrawable: '37.11827078' },
      {
        asset: 'USDT',
        free: '4834.317093622894',
        used: '16.1186',
        total: '4850.435693622894',
        withdrawable: '0',
        elsewhere: [{ account: 'trading', kind: 'free', amount: '4834.317093622894' }],
      },
    ],
    unreadable: { [route.funding]: ok(FUNDING, { ...FUNDING, ccy: 'BTC', availBal: 'much' }) },
  },
  keyInfo: {
    route: route.account,
    expected: {
      permissions: ['read_only', 'withdraw', 'trade'],
      ipAllowlist: ['117.37.203.58', '117.37.203.57'],
      validUntil: null,
      lastUsed: null,
      createdTime: null,
      modifiedTime: null,
    },
    least: {
      reply: ok({ perm: 'read_only', ip: '' }),
      expected: {
        permissions: ['read_only'],
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
    accepted: ok(ACCEPTED),
    exchangeIds: ['67485'],
    withoutId: [ok(), ok({}), ok({ ...ACCEPTED, wdId: '' }), json({ code: '0', msg: '' }), json({ data: [ACCEPTED] })],
    // The documentation does not say how a repeated `clientId` is refused, so this response has an undocumented code.
    repeated: refusal('58999'),
    instruction: {
      asset: 'BTC',
      network: 'bitcoin',
      address: '17DKe3kkkkiiiiTvAKKi2vMPbm1Bz3CMKw',
      tag: null,
      clientRef: 'ab12',
      amountNoFee: Amount.of('0.1'),
      fee: FEE,
      amountWithFee: Amount.of('0.10005'),
    },
    tagged: {
      asset: 'XRP',
      network: 'ripple',
      address: 'rLHzPsX6oXkzU2qL12kHCH8G8cnZv1rBJh',
      tag: '1000001',
      clientRef: 'cd34',
      amountNoFee: Amount.of('100'),
      fee: Amount.of('0.1'),
      amountWithFee: Amount.of('100.1'),
    },
    // OKX: "Withdrawal fee is not included in withdrawal amount."
    amountIs: 'net',
    meaningOf: ({ json: sent }) => {
      const { ccy = '', toAddr = '', amt = '' } = sent as Record<string, string>;
      const [address = '', tag = null] = toAddr.split(':');
      return { asset: ccy, address, tag, amount: amt };
    },
    networks: {
      expected: [
        ['BTC', 'bitcoin', null],
        ['XRP', 'ripple', null],
        ['USDT', 'ethereum', '0xdAC17F958D2ee523a2206206994597C13D831ec7'],
        ['USDT', 'arbitrum', '0xFd086bC7CD5C481DCC9C85ebE478A1C0b69FCbb9'],
      ],
      listing: (entries) => ({ [route.currencies]: ok(...entries) }),
      good: BITCOIN,
      traps: {
        wrapped: [other('BTC', 'ERC20', '5807cf'), other('BTC', 'BSC', 'ead9c'), other('ETH', 'BSC', '')],
        // This is the ending of the contract of USDC.e on Arbitrum, and not of that of USDC.
        bridged: [other('USDC', 'Arbitrum One', 'db5cc8'), other('USDC', 'Arbitrum One (Bridged)', 'db5cc8')],
        contractless: [other('USDT', 'ERC20', ''), { ...TETHER, ctAddr: undefined }],
        unknown: [
          ...[other('USDT', 'OKC', '831ec7'), other('BTC', 'Never seen', ''), { ...BITCOIN, chain: 'Bitcoin' }],
          // OKX documents no endpoint that pays Lightning invoices.
          other('BTC', 'Lightning', ''),
        ],
      },
      unreadable: [null, {}, { ...BITCOIN, minWd: 'a lot' }, { ...BITCOIN, wdTickSz: '-1' }],
    },
  },
  orders: {
    route: route.place,
    // "The request will expire 30 seconds after the timestamp."
    signedForMs: 30_000,
    accepted: ok(PLACED),
    exchangeIds: ['312269865356374016'],
    withoutId: [ok(), ok({}), ok({ ...PLACED, ordId: '' }), ok({ ...PLACED, sCode: '' })],
    repeated: json({ code: '1', msg: '', data: [{ sCode: '51016', sMsg: 'Client order ID already exists.' }] }),
    instruction: {
      exchangeSymbol: 'BTC-USDT',
      side: 'buy',
      type: 'limit',
      volume: Amount.of('2'),
      price: Amount.of('2.15'),
    },
    meaningOf: okxOrderMeaning,
    listing: (orders) => ({
      [route.order]: ({ params: { ordId, clOrdId } }) => {
        // OKX: "Either ordId or clOrdId is required, if both are passed, ordId will be used"
        const one = orders.find((each) =>
          ordId === undefined ? each.clientOrderId === clOrdId : each.exchangeId === ordId,
        );
        return one === undefined ? refusal('51603') : ok(okxOrder(one));
      },
    }),
    feeAsset: 'BTC',
  },
  deposits: {
    asset: 'BTC',
    methods: [{ exchangeMethodId: 'BTC-Bitcoin', network: 'bitcoin' }],
    method: 'BTC-Bitcoin',
    addresses: [{ address: '39XNxK1Ryqgg3Bsyn6HzoqV4Xji25pNkv6', tag: null }],
    unsafe: { [route.addresses]: ok({ ...DEPOSIT_ADDRESSES[2], chain: 'BTC-Bitcoin' }) },
  },
  history: {
    entry,
    listing,
    endless: (kind, one) => ({ [route[kind]]: ok(...Array.from({ length: 100 }, () => one)) }),
    pageSize: 100,
    unitMs: 1,
    windowDays: null,
  },
};
