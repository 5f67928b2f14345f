import { createHash, createHmac } from 'node:crypto';
import { Amount } from '#money';
import { Secret } from '#platform/crypto';
import {
  json,
  notServed,
  type DocumentedCall,
  type ExchangeContract,
  type ListedEntry,
  type ParameterForm,
  type Reply,
  type SampleOrder,
  type SampleRecord,
} from '../../testing/contract/exchange-contract.js';
import { depositMethods, documentedAddresses } from '../../testing/kraken-deposit-documentation.js';
import { documented, refusal, result } from '../../testing/kraken-documentation.js';
import type { ReceivedCall } from '../../testing/stub-exchange.js';
import { krakenRefusals } from './kraken-errors-contract.js';
import { krakenOrder, krakenOrderMeaning, krakenNetworkEvidence } from './kraken-samples.js';

/**
 * Kraken as its documentation describes it: https://docs.kraken.com/api-reference (spot REST). The documented examples
 * are in `testing/kraken-documentation.ts`.
 */

const at = (path: string): string => `POST /0/private/${path}`;
const ok = (value: unknown): Reply => json(result(value));

const key = (apiKey: string, secret: string) => ({
  apiKey: new Secret(apiKey),
  apiSecret: new Secret(Buffer.from(secret).toString('base64')),
});

/** A private call: https://docs.kraken.com/api/docs/guides/spot-rest-auth requires a nonce in every body. */
function call(parameters: Record<string, ParameterForm>, answer: DocumentedCall['answer']): DocumentedCall {
  return { parameters: { nonce: 'integer', ...parameters }, answer };
}

const RIPPLE_ADDRESS = {
  address: documentedAddresses.ripple.address,
  asset: 'XRP',
  method: 'Ripple XRP',
  key: 'xrp-wallet-1',
  tag: documentedAddresses.ripple.tag,
  verified: true,
};
const [BITCOIN_ADDRESS] = documented.WithdrawAddresses;
const saved = [BITCOIN_ADDRESS, RIPPLE_ADDRESS];

const FEE = Amount.of('0.00015');

/** Kraken's documentation: funding/get-withdrawal-information: "amount: Net amount that will be sent, after fees." */
function withdrawInfo({ params }: ReceivedCall): Reply {
  const amount = Amount.of(params['amount'] ?? '').minus(FEE);
  return ok({ method: 'Bitcoin', limit: '332.00956139', amount: amount.toString(), fee: FEE.toString() });
}

const listed: Record<string, ParameterForm> = {
  asset: 'text?',
  aclass: 'text?',
  method: 'text?',
  start: 'integer?',
  end: 'integer?',
  cursor: 'text?',
  limit: 'integer?',
};

/** IFEX financial transaction states, which funding/get-status-of-recent-deposits names. */
const TRANSFER_STATUSES = ['Initial', 'Pending', 'Settled', 'Success', 'Failure'];

const calls: Record<string, DocumentedCall> = {
  'GET /0/public/Assets': {
    parameters: {},
    answer: ok(documented.Assets),
    isPublic: true,
    // "status: Status of asset. Possible values: enabled, deposit_only, withdrawal_only, funding_temporarily_disabled."
    also: { 'result.{}.status': ['deposit_only', 'withdrawal_only', 'funding_temporarily_disabled'] },
  },
  [at('BalanceEx')]: call({}, ok(documented.BalanceEx)),
  [at('GetApiKeyInfo')]: call({}, ok(documented.GetApiKeyInfo)),
  [at('WithdrawMethods')]: call({ asset: 'text?', aclass: 'text?', network: 'text?' }, ok(documented.WithdrawMethods)),
  [at('WithdrawAddresses')]: call({ asset: 'text?', method: 'text?', key: 'text?' }, ({ params }) =>
    ok(saved.filter(({ method }) => params['method'] === undefined || method === params['method'])),
  ),
  [at('WithdrawInfo')]: call({ asset: 'text', key: 'text', amount: 'decimal' }, withdrawInfo),
  [at('Withdraw')]: call(
    { asset: 'text', key: 'text', address: 'text?', amount: 'decimal', max_fee: 'decimal?', otp: 'text?' },
    ok(documented.Withdraw),
  ),
  [at('WithdrawStatus')]: call(listed, ok(documented.WithdrawStatus)),
  [at('DepositStatus')]: {
    ...call(listed, ok(documented.DepositStatus)),
    also: {
      // The documentation names the list `deposit`, but client libraries have recorded `deposits`.
      'result.deposit': [undefined],
      'result.deposits': [undefined],
      'result.deposits[]': documented.DepositStatus,
      'result.deposit[].status': TRANSFER_STATUSES,
      'result.deposits[].status': TRANSFER_STATUSES,
    },
  },
  [at('DepositMethods')]: {
    ...call({ asset: 'text', aclass: 'text?' }, ok(depositMethods.XXBT)),
    // "limit: Maximum net amount that can be deposited right now, or false if no limit"
    also: { 'result[].limit': ['1'] },
  },
  [at('DepositAddresses')]: {
    ...call({ asset: 'text', method: 'text', new: 'boolean?', amount: 'decimal?' }, ok([documentedAddresses.bitcoin])),
    // "new: Whether or not to generate a new address."
    createsBy: 'new',
  },
  [at('Ledgers')]: call(
    {
      asset: 'text?',
      aclass: 'text?',
      type: 'text?',
      start: 'integer?',
      end: 'integer?',
      ofs: 'integer?',
      without_count: 'boolean?',
    },
    ok(documented.Ledgers),
  ),
  [at('AddOrder')]: call(
    {
      pair: 'text',
      type: 'text',
      ordertype: 'text',
      volume: 'decimal',
      price: 'decimal?',
      oflags: 'text?',
      cl_ord_id: 'text?',
      deadline: 'text?',
      timeinforce: 'text?',
    },
    ok(documented.AddOrder),
  ),
  [at('OpenOrders')]: call({ trades: 'boolean?', userref: 'integer?', cl_ord_id: 'text?' }, ok({ open: {} })),
  [at('ClosedOrders')]: call(
    {
      trades: 'boolean?',
      userref: 'integer?',
      cl_ord_id: 'text?',
      start: 'integer?',
      end: 'integer?',
      ofs: 'integer?',
      closetime: 'text?',
      consolidate_taker: 'boolean?',
      without_count: 'boolean?',
    },
    ok({ closed: {} }),
  ),
  [at('QueryOrders')]: call({ trades: 'boolean?', txid: 'text' }, json(refusal('EOrder:Unknown order'))),
};

/**
 * Returns the check of the signature and the nonce. https://docs.kraken.com/api/docs/guides/spot-rest-auth:
 * "HMAC-SHA512 of (URI path + SHA256(nonce + POST data)) and base64 decoded secret API key", with a nonce that always
 * increases.
 */
function signatureCheck(): ReturnType<ExchangeContract['signature']['check']> {
  const nonces = new Map<string, number>();
  return ({ headers, target, body, params }, { apiKey, apiSecret }) => {
    const nonce = params['nonce'] ?? '';
    const hash = createHash('sha256')
      .update(nonce + body)
      .digest();
    const hmac = createHmac('sha512', Buffer.from(apiSecret?.reveal() ?? '', 'base64'));
    if (headers['api-sign'] !== hmac.update(target).update(hash).digest('base64')) return 'the signature is wrong';
    const last = nonces.get(apiKey.reveal()) ?? 0;
    nonces.set(apiKey.reveal(), Number(nonce));
    return Number(nonce) > last ? null : 'the nonce does not increase';
  };
}

const STATES = { pending: 'Pending', completed: 'Success', failed: 'Failure', 'unheard of': 'Never seen' } as const;
const ASSET_IDS: Readonly<Record<string, string>> = { BTC: 'XXBT', XRP: 'XXRP' };

/**
 * Kraken's documentation: one entry of funding/get-status-of-recent-withdrawals or -deposits. Times are whole seconds.
 */
function entry(kind: 'deposit' | 'withdrawal', record: SampleRecord): object {
  return {
    method: 'Bitcoin',
    network: 'Bitcoin',
    aclass: 'currency',
    asset: ASSET_IDS[record.asset],
    refid: record.id,
    txid: 'aa',
    info: record.address,
    amount: record.net.toString(),
    fee: record.fee.toString(),
    time: Math.floor(record.at.getTime() / 1000),
    status: record.status ?? STATES[record.state],
    ...(kind === 'withdrawal' && { key: saved.find(({ address: one }) => one === record.address)?.key }),
  };
}

const STATUS = { deposit: at('DepositStatus'), withdrawal: at('WithdrawStatus') } as const;
/** The names of the lists in the documented responses: `withdrawals`, but `deposit` in the singular. */
const LIST = { deposit: 'deposit', withdrawal: 'withdrawals' } as const;

/**
 * Kraken: "limit: Number of results to include per page", "cursor: true/false to enable/disable paginated response".
 */
function listing(
  kind: 'deposit' | 'withdrawal',
  entries: readonly ListedEntry[],
): Record<string, DocumentedCall['answer']> {
  return {
    [STATUS[kind]]: ({ params }) => {
      const seconds = ({ at: time }: ListedEntry): number => Math.floor(time.getTime() / 1000);
      const [start, end] = [Number(params['start'] ?? 0), Number(params['end'] ?? Number.MAX_SAFE_INTEGER)];
      const inRange = entries
        .filter((one) => seconds(one) >= start && seconds(one) <= end)
        .sort((a, b) => b.at.getTime() - a.at.getTime());
      const limit = Number(params['limit'] ?? 500);
      const from = params['cursor'] === 'true' ? 0 : Number(params['cursor']);
      const page = inRange.slice(from, from + limit).map((one) => one.entry);
      const next = from + limit < inRange.length ? String(from + limit) : null;
      return ok({ [LIST[kind]]: page, next_cursor: next });
    },
  };
}

/** Kraken: "cl_ord_id: Restrict results to given client order identifier". A page of closed orders has 50 orders. */
function orderListing(orders: readonly SampleOrder[]): Record<string, DocumentedCall['answer']> {
  const byId = (list: readonly SampleOrder[]): object =>
    Object.fromEntries(list.map((one) => [one.exchangeId, krakenOrder(one)]));
  const select = (hasEnded: boolean, { params: { cl_ord_id: ours, ofs = '0' } }: ReceivedCall): object => {
    const selected = orders
      .filter(({ state }) => (state === 'filled' || state === 'canceled') === hasEnded)
      .filter(({ clientOrderId }) => ours === undefined || clientOrderId === ours);
    return byId(hasEnded ? selected.slice(Number(ofs), Number(ofs) + 50) : selected);
  };
  return {
    [at('OpenOrders')]: (received) => ok({ open: select(false, received) }),
    [at('ClosedOrders')]: (received) => ok({ closed: select(true, received) }),
    [at('QueryOrders')]: ({ params: { txid } }) => {
      const found = orders.filter(({ exchangeId }) => exchangeId === txid);
      return found.length === 0 ? json(refusal('EOrder:Unknown order')) : ok(byId(found));
    },
  };
}

export const krakenContract: ExchangeContract = {
  playsEveryGateway: true,
  credentials: [key('first-key', 'first secret'), key('second-key', 'second secret')],
  noncesMustRise: true,
  signature: { keyOf: ({ headers }) => (headers['api-key'] as string | undefined) ?? null, check: signatureCheck },
  calls,
  refusals: krakenRefusals(),
  unlisted: ['EFunding:Something new', 'EFunding', 'ESession:Invalid session', 'ENew:Insufficient funds', 'toString']
    .map((code) => json(refusal(code)))
    .concat(json(refusal('EFunding:Insufficient funds', 'EFunding:Something new'))),
  repeatsAreRefusedFirst:
    'https://docs.kraken.com/exchange/guides/general/errors: a used nonce gets EAPI:Invalid nonce',
  // Kraken's pages guides/rest/ratelimits ("restricted for a few seconds") and guides/general/errors ("each attempt
  // resets the timer").
  limits: [
    { reply: json(refusal('EAPI:Rate limit exceeded')), of: 'credential', pauseMs: 5_000 },
    { reply: json(refusal('EGeneral:Temporary lockout')), of: 'credential', pauseMs: 900_000 },
  ],
  networkEvidence: krakenNetworkEvidence,
  balances: {
    expected: [
      { asset: 'USD', free: '17185.45', used: '8249.76', total: '25435.21', withdrawable: '17185.45' },
      { asset: 'BTC', free: '0.4012', used: '0.8423', total: '1.2435', withdrawable: '0.4012' },
    ],
    assetIds: ['ZUSD', 'XXBT', 'XBT'],
    unreadable: { [at('BalanceEx')]: ok({ ...documented.BalanceEx, XETH: { balance: 'much', hold_trade: '0' } }) },
  },
  otherAccounts: notServed('futures', 'sub-accounts'),
  keyInfo: {
    route: at('GetApiKeyInfo'),
    expected: {
      permissions: ['query-funds', 'withdraw-funds'],
      ipAllowlist: ['198.51.100.7', '198.51.100.8'],
      validUntil: null,
      lastUsed: 1723640440,
      createdTime: 1723640437,
      modifiedTime: 1723640437,
      unsafeSettings: [],
    },
    least: {
      // The list [""] was recorded by github.com/JKorf/Kraken.Net (GetApiKeyInfo.txt).
      reply: ok({ permissions: ['query-funds'], ipAllowlist: [''] }),
      expected: {
        permissions: ['query-funds'],
        ipAllowlist: [],
        validUntil: null,
        lastUsed: null,
        createdTime: null,
        modifiedTime: null,
        unsafeSettings: ['nonce_window'],
      },
    },
  },
  withdrawals: {
    route: at('Withdraw'),
    accepted: ok(documented.Withdraw),
    exchangeIds: [documented.Withdraw.refid],
    withoutId: [
      ok(null),
      ok({}),
      ok({ refid: '' }),
      json({ error: [] }),
      json({ error: ['EAPI:Invalid nonce'], result: documented.Withdraw }),
    ],
    repeated: json(refusal('EAPI:Invalid nonce')),
    instruction: {
      asset: 'BTC',
      network: 'bitcoin',
      address: BITCOIN_ADDRESS.address,
      tag: null,
      clientRef: 'ref',
      amountNoFee: Amount.of('0.5'),
      fee: FEE,
      amountWithFee: Amount.of('0.50015'),
    },
    tagged: {
      asset: 'XRP',
      network: 'ripple',
      address: RIPPLE_ADDRESS.address,
      tag: RIPPLE_ADDRESS.tag,
      clientRef: 'ref',
      amountNoFee: Amount.of('100'),
      fee: FEE,
      amountWithFee: Amount.of('100.00015'),
    },
    // Kraken: "amount: Amount to be withdrawn". The fee is deducted from this amount, as WithdrawInfo shows.
    amountIs: 'gross',
    meaningOf: ({ params }) => {
      const entryOf = saved.find((one) => one.key === params['key']);
      const sentAsset = Object.entries(ASSET_IDS).find(([, id]) => id === params['asset']);
      return {
        asset: sentAsset?.[0] ?? '',
        address: entryOf?.address ?? '',
        amount: params['amount'] ?? '',
        tag: entryOf !== undefined && 'tag' in entryOf ? entryOf.tag : null,
      };
    },
    networks: {
      expected: [
        ['BTC', 'bitcoin', null],
        ['BTC', 'lightning', null],
        ['XRP', 'ripple', null],
      ],
      listing: (entries) => ({ [at('WithdrawMethods')]: ok(entries) }),
      good: documented.WithdrawMethods[0],
      traps: {
        wrapped: ['Ethereum', 'BNB Smart Chain'].map((network) => ({ asset: 'XXBT', method: network, network })),
        bridged: [
          { asset: 'USDT', method: 'Tether USDT (Polygon)', network: 'Polygon - USDT.e' },
          { asset: 'XXBT', method: 'kBTC - Ethereum (Unified)', network: 'Ethereum (kBTC)' },
        ],
        contractless: 'WithdrawMethods lists no contracts; the names of networks identify tokens',
        unknown: [{ asset: 'ZUSD', method: 'Fedwire', minimum: '100' }],
      },
      unreadable: [null, {}, { asset: 'XXBT', method: 'Bitcoin', network: 'Bitcoin', minimum: 'a lot' }],
    },
  },
  orders: {
    route: at('AddOrder'),
    signedForMs: null,
    // "Retrieve information about orders that have been closed (filled or cancelled)"
    listsEveryOrder: true,
    accepted: ok(documented.AddOrder),
    exchangeIds: documented.AddOrder.txid,
    withoutId: [ok(null), ok({}), ok({ txid: [] }), json({ error: [] })],
    repeated: json(refusal('EAPI:Invalid nonce')),
    instruction: {
      exchangeSymbol: 'XBTUSD',
      side: 'buy',
      type: 'limit',
      volume: Amount.of('2.1234'),
      price: Amount.of('25000.1'),
    },
    meaningOf: krakenOrderMeaning,
    listing: orderListing,
    // null = the quote asset. Kraken: "fciq: Fee in quote currency"
    feeAsset: null,
  },
  deposits: {
    asset: 'BTC',
    methods: [
      { exchangeMethodId: 'Bitcoin', network: 'bitcoin' },
      { exchangeMethodId: 'Bitcoin Lightning', network: 'lightning' },
      { exchangeMethodId: 'kBTC - Ethereum (Unified)', network: null },
    ],
    method: 'Bitcoin',
    addresses: [{ address: documentedAddresses.bitcoin.address, tag: null }],
    unsafe: { [at('DepositAddresses')]: ok([documentedAddresses.bitcoin, documentedAddresses.ether]) },
  },
  history: {
    entry,
    listing,
    endless: (kind, one) => ({ [STATUS[kind]]: ok({ [LIST[kind]]: [one], next_cursor: 'again' }) }),
    pageSize: 500,
    unitMs: 1000,
    windowDays: null,
  },
};
