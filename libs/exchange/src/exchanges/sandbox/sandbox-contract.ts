import { Amount } from '#money';
import { Secret } from '#platform/crypto';
import type { HistoryKind } from '../../port/exchange.port.js';
import { textsOf } from '../../testing/contract/contract-stub.js';
import { refused, type Meaning } from '../../testing/contract/documented.js';
import {
  json,
  type DocumentedCall,
  type ExchangeContract,
  type ListedEntry,
  type ParameterForm,
  type Reply,
  type SampleRecord,
} from '../../testing/contract/exchange-contract.js';
import { ACCOUNT, BALANCES, DEPOSIT, NETWORKS, route, WITHDRAWAL } from '../../testing/sandbox-documentation.js';

/** The sandbox exchange's partner API as docs/sandbox.md, "The partner API", describes it. */

const FEE = Amount.of('0.00015');
const RIPPLE = 'r4Te9i7iBJUTMZf7DdfmRjzd6FJbDgNmV2';
const [BITCOIN] = NETWORKS;

const listed: Record<string, ParameterForm> = {
  reference: 'text?',
  id: 'text?',
  asset: 'text?',
  since: 'integer?',
  until: 'integer?',
  cursor: 'text?',
  limit: 'integer?',
};
const ordered: Record<string, ParameterForm> = {
  asset: 'text',
  network: 'text',
  address: 'text',
  tag: 'text?',
  amount: 'decimal',
};

/** POST /withdrawals/preview: `amount` is what arrives, and `total` is `amount` plus the fee. */
const preview: DocumentedCall['answer'] = (call) => {
  const amount = textsOf(call)['amount'] ?? '';
  const total = Amount.of(amount).plus(FEE).toString();
  const bounds = { minimum: '0.0004', maximum: '100', available: '4.75' };
  return json({ amount, fee: FEE.toString(), total, ...bounds, requires: ['GOOGLE'] });
};

const depositMethod = (network: string): object => ({
  asset: 'BTC',
  network,
  displayName: network,
  tagType: null,
  minimum: '0.0004',
  fee: '0',
  limit: null,
});
const depositAddress = (address: string): object => ({
  asset: 'BTC',
  network: 'bitcoin',
  address,
  tag: null,
  expiresAt: null,
});
const depositAddresses = (...addresses: string[]): Reply => json({ addresses: addresses.map(depositAddress) });

const WITHDRAW = route('POST', '/withdrawals');
const LISTS = { deposit: route('GET', '/deposits'), withdrawal: route('GET', '/withdrawals') } as const;
const ADDRESSES = route('GET', '/deposit-addresses');

const calls: Record<string, DocumentedCall> = {
  [route('GET', '/account')]: { parameters: {}, answer: json(ACCOUNT) },
  [route('GET', '/balances')]: { parameters: {}, answer: json({ balances: BALANCES }) },
  [route('GET', '/networks')]: { parameters: {}, answer: json({ networks: NETWORKS }) },
  [route('POST', '/withdrawals/preview')]: { parameters: ordered, answer: preview },
  [WITHDRAW]: {
    parameters: {
      ...ordered,
      reference: 'text',
      maxFee: 'decimal?',
      validUntil: 'integer?',
      challengeId: 'text?',
      codes: 'object?',
    },
    answer: json({ withdrawal: WITHDRAWAL }, 201),
  },
  [LISTS.withdrawal]: { parameters: listed, answer: json({ withdrawals: [], nextCursor: null }) },
  [LISTS.deposit]: { parameters: listed, answer: json({ deposits: [], nextCursor: null }) },
  [route('GET', '/deposit-methods')]: {
    parameters: { asset: 'text' },
    answer: json({ depositMethods: ['bitcoin', 'lightning', 'ethereum-kbtc'].map(depositMethod) }),
  },
  [ADDRESSES]: { parameters: { asset: 'text', network: 'text' }, answer: depositAddresses(WITHDRAWAL.address) },
};

const verify = refused('WITHDRAWAL_2FA_REQUIRED_MULTI_STEPS');

/** The documented errors: HTTP status, code and meaning. */
const rows: [number, string, Meaning][] = [
  [401, 'unauthorized', { grade: 'credentials' }],
  [401, 'token_revoked', { grade: 'credentials', reason: 'revoked' }],
  [401, 'token_expired', { grade: 'credentials', reason: 'expired' }],
  [403, 'permission_missing', { grade: 'permission', isDefinite: true }],
  [403, 'ip_not_allowed', { grade: 'ip_not_allowed', isDefinite: true }],
  [403, 'kyc_required', refused('WITHDRAWAL_KYC_REQUIRED')],
  [403, 'email_unverified', refused('WITHDRAWAL_EMAIL_UNVERIFIED')],
  [423, 'account_on_hold', refused(undefined, 'security_hold')],
  [403, 'verification_required', verify],
  [403, 'verification_failed', verify],
  [423, 'challenge_locked', refused('WITHDRAWAL_2FA_INVALID', 'challenge_locked')],
  [404, 'challenge_not_found', verify],
  [409, 'challenge_mismatch', refused(undefined, 'challenge_mismatch')],
  [422, 'method_not_in_challenge', refused('WITHDRAWAL_2FA_METHOD_NOT_SUPPORTED')],
  [409, 'funding_address_conflict', refused('WITHDRAWAL_FUNDING_ADDRESS_CONFLICT')],
  [409, 'too_many_addresses', refused('WITHDRAWAL_TOO_MANY_ADDRESSES')],
  [409, 'reference_conflict', { grade: 'unknown' }],
  [422, 'asset_not_supported', refused('WITHDRAWAL_ASSET_NOT_SUPPORTED')],
  [422, 'network_not_supported', refused('WITHDRAWAL_NETWORK_NOT_SUPPORTED')],
  [422, 'invalid_address', refused('WITHDRAWAL_INVALID_ADDRESS')],
  [422, 'invalid_tag', refused('WITHDRAWAL_INVALID_ADDRESS', 'invalid_tag')],
  [422, 'amount_below_minimum', refused('WITHDRAWAL_AMOUNT_BELOW_MINIMUM')],
  [422, 'amount_above_maximum', refused('WITHDRAWAL_AMOUNT_ABOVE_MAXIMUM')],
  [422, 'fee_changed', refused(undefined, 'fee_changed')],
  [422, 'insufficient_funds', refused('WITHDRAWAL_INSUFFICIENT_BALANCE')],
  [422, 'insufficient_funds_for_fee', refused('WITHDRAWAL_INSUFFICIENT_BALANCE_FOR_FEE')],
  [422, 'invalid_request', refused(undefined, 'invalid_arguments')],
  [410, 'request_expired', { grade: 'unknown' }],
  [429, 'rate_limited', { grade: 'pause', isDefinite: true }],
  [503, 'unavailable', { grade: 'unknown' }],
  [500, 'internal_error', { grade: 'unknown' }],
];
const refusal = (status: number, code: string): Reply => json({ error: { code, message: 'a refusal' } }, status);

const STATES = { pending: 'requested', completed: 'confirmed', failed: 'failed', 'unheard of': 'sleeping' } as const;

function entry(kind: HistoryKind, record: SampleRecord): object {
  const { id, asset, address, tag, state, at, clientRef } = record;
  return {
    ...(kind === 'withdrawal' ? WITHDRAWAL : DEPOSIT),
    id,
    asset,
    network: record.network,
    address,
    tag,
    amount: record.net.toString(),
    fee: record.fee.toString(),
    status: record.status ?? STATES[state],
    createdAt: at.getTime(),
    ...(kind === 'withdrawal' && { reference: clientRef }),
  };
}

/** docs/sandbox.md: "newest first; `since` and `until` are inclusive, `limit` is 1 to 500, default 100". */
function listing(kind: HistoryKind, entries: readonly ListedEntry[]): Record<string, DocumentedCall['answer']> {
  return {
    [LISTS[kind]]: ({ params: { since = '0', until = '9e15', reference, id, limit = '100', cursor = '0' } }) => {
      const found = entries
        .filter(({ at }) => at.getTime() >= Number(since) && at.getTime() <= Number(until))
        .filter((one) => id === undefined || one.id === id)
        .filter((one) => reference === undefined || referenceOf(one) === reference)
        .sort((a, b) => b.at.getTime() - a.at.getTime());
      const end = Number(cursor) + Number(limit);
      const page = found.slice(Number(cursor), end).map((one) => one.entry);
      return json({ [`${kind}s`]: page, nextCursor: end < found.length ? String(end) : null });
    },
  };
}

function referenceOf({ entry: one }: ListedEntry): unknown {
  return typeof one === 'object' && one !== null && 'reference' in one ? one.reference : undefined;
}

export const sandboxContract: ExchangeContract = {
  credentials: [{ apiKey: new Secret('first-token') }, { apiKey: new Secret('second-token') }],
  noncesMustRise: false,
  signature: {
    keyOf: ({ headers }) => headers.authorization?.replace(/^Bearer /, '') ?? null,
    check: () => (call, credentials) =>
      call.headers.authorization === `Bearer ${credentials.apiKey.reveal()}` ? null : 'no bearer token',
  },
  calls,
  refusals: rows.map(([status, code, meaning]) => ({
    name: `${status} ${code}`,
    reply: refusal(status, code),
    ...meaning,
  })),
  unlisted: [
    refusal(422, 'never_seen'),
    refusal(404, 'not_found'),
    refusal(403, 'toString'),
    refusal(200, 'insufficient_funds'),
  ],
  repeatsAreRefusedFirst: 'docs/sandbox.md: a repeat of a booked reference gets the booking before any other check',
  limits: [{ reply: refusal(429, 'rate_limited'), of: 'credential', pauseMs: 1_000 }],
  networkEvidence: {},
  balances: {
    expected: [
      { asset: 'BTC', free: '4.75', used: '0.25', total: '5', withdrawable: '4.75' },
      { asset: 'XRP', free: '20000', used: '0', total: '20000', withdrawable: '20000' },
    ],
    unreadable: {
      [route('GET', '/balances')]: json({ balances: [...BALANCES, { ...BALANCES[0], asset: 'ETH', free: 'much' }] }),
    },
  },
  keyInfo: {
    route: route('GET', '/account'),
    expected: {
      permissions: ['read', 'withdraw'],
      ipAllowlist: ['198.51.100.7', '198.51.100.8'],
      validUntil: null,
      lastUsed: 1_795_000_060,
      createdTime: 1_795_000_000,
      modifiedTime: null,
    },
    least: {
      reply: json({ ...ACCOUNT, permissions: [], ipAllowlist: [], tokenCreatedAt: null, tokenLastUsedAt: null }),
      expected: {
        permissions: [],
        ipAllowlist: [],
        validUntil: null,
        lastUsed: null,
        createdTime: null,
        modifiedTime: null,
      },
    },
  },
  withdrawals: {
    route: WITHDRAW,
    accepted: json({ withdrawal: WITHDRAWAL }, 201),
    exchangeIds: [WITHDRAWAL.id],
    withoutId: [
      json({}, 201),
      json({ withdrawal: { ...WITHDRAWAL, id: '' } }, 201),
      json({ withdrawal: { ...WITHDRAWAL, reference: 'another' } }, 201),
      json({ withdrawal: WITHDRAWAL }, 202),
      json({ error: { code: 'insufficient_funds' }, withdrawal: WITHDRAWAL }, 201),
    ],
    repeated: json({ withdrawal: WITHDRAWAL, duplicate: true }),
    instruction: {
      asset: 'BTC',
      network: 'bitcoin',
      address: WITHDRAWAL.address,
      tag: null,
      clientRef: WITHDRAWAL.reference,
      amountNoFee: Amount.of('0.5'),
      fee: FEE,
      amountWithFee: Amount.of('0.50015'),
    },
    tagged: {
      asset: 'XRP',
      network: 'ripple',
      address: RIPPLE,
      tag: '1361101127',
      clientRef: WITHDRAWAL.reference,
      amountNoFee: Amount.of('100'),
      fee: Amount.of('0.2'),
      amountWithFee: Amount.of('100.2'),
    },
    amountIs: 'net',
    meaningOf: (call) => {
      const { asset = '', address = '', tag = null, amount = '' } = textsOf(call);
      return { asset, address, tag, amount };
    },
    networks: {
      expected: [
        ['BTC', 'bitcoin', null],
        ['ETH', 'arbitrum', null],
        ['XRP', 'ripple', null],
      ],
      listing: (entries) => ({ [route('GET', '/networks')]: json({ networks: entries }) }),
      good: BITCOIN,
      traps: {
        wrapped: ['ethereum', 'bnb-smart-chain'].map((network) => ({ ...BITCOIN, network })),
        bridged: ['polygon-usdc-e', 'ethereum-kbtc'].map((network) => ({ ...BITCOIN, network })),
        contractless: 'the partner API lists no contracts; its ids of networks identify tokens',
        unknown: [{ ...BITCOIN, network: 'never-seen' }],
      },
      unreadable: [null, {}, { ...BITCOIN, minimum: 'a lot' }],
    },
  },
  deposits: {
    asset: 'BTC',
    methods: [
      { exchangeMethodId: 'bitcoin', network: 'bitcoin' },
      { exchangeMethodId: 'lightning', network: 'lightning' },
      { exchangeMethodId: 'ethereum-kbtc', network: null },
    ],
    method: 'bitcoin',
    addresses: [{ address: WITHDRAWAL.address, tag: null }],
    unsafe: { [ADDRESSES]: depositAddresses(WITHDRAWAL.address, DEPOSIT.address) },
  },
  history: {
    entry,
    listing,
    pageSize: 500,
    unitMs: 1,
    windowDays: null,
    endless: (kind, one) => ({ [LISTS[kind]]: json({ [`${kind}s`]: [one], nextCursor: 'again' }) }),
  },
};
