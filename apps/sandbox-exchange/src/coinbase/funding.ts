import { randomInt } from 'node:crypto';
import { z } from 'zod';
import { Amount, InvalidAmount } from '#money';
import { allowsWithdrawals, findDepositMethod, methods, type FundingMethod } from '../catalogue.js';
import { addressRule } from '../data/address-rules.js';
import { Overdrawn } from '../exchange.js';
import type { HistoryForm, HistoryRecord } from '../faults/protocol.js';
import { addressesOf, nextDepositAddress } from '../kraken/funding/deposits.js';
import type { Deposit, DepositAddress, Withdrawal } from '../ledger/records.js';
import { demand } from './authenticate.js';
import { CoinbaseError } from './coinbase-error.js';
import type { CoinbaseCall } from './handler.js';
import { transactionOrder } from './transaction-order.js';
import { heldOf, uuidOf, type Held } from './wallets.js';

/**
 * Sources: https://docs.cdp.coinbase.com/coinbase-app, track-apis/transactions, transfer-apis/*,
 * oauth2-integration/2fa.
 */

/** Coinbase's names of the networks that its documentation mentions, by the names in the sandbox's ledger. */
const NETWORKS: Readonly<Record<string, string>> = {
  Bitcoin: 'bitcoin',
  Ethereum: 'ethereum',
  Solana: 'solana',
  Base: 'base',
  Polygon: 'polygon',
};
/** Not offered over Coinbase's protocol: ETH on Polygon is a wrapped coin. */
const WRAPPED = ['ETH Polygon'];
const PAGE_MAX = 100;
const CODE_LASTS_MS = 300_000;

const networksOf = ({ asset }: Held): (FundingMethod & { name: string })[] =>
  methods.flatMap((method) => {
    const name = NETWORKS[method.network];
    const isOwn = method.assetCode === asset.code && !WRAPPED.includes(`${asset.code} ${method.network}`);
    return name !== undefined && isOwn ? [{ ...method, name }] : [];
  });

const timeOf = (at: number): string => `${new Date(at).toISOString().slice(0, 19)}Z`;
const invalid = (message: string) => new CoinbaseError('validation_error', message);

const sendInput = z.object({
  type: z.literal('send'),
  to: z.string(),
  amount: z.string(),
  currency: z.string(),
  idem: z.uuid().optional(),
  network: z.string().optional(),
});

/**
 * Send Money. "If a previous transaction with the same `idem` parameter exists for this sender, that previous
 * transaction is returned". A call with an access token needs a two-factor code; a call with an API key needs none. The
 * response to a wrong code is not documented; here it equals the response to a missing code.
 */
export function sendMoney(call: CoinbaseCall): unknown {
  demand(call.caller, { scope: 'wallet:transactions:send', permission: 'transfer' });
  const held = heldOf(call);
  const input = sendInput.safeParse(call.body);
  if (!input.success || input.data.currency !== held.asset.code) throw invalid('The request is not valid');
  const { idem = '', to, network } = input.data;
  const book = call.exchange.book(call.account);
  const earlier = book.withdrawals.get(book.references.get(idem) ?? '');
  if (earlier !== undefined) return { data: sendRecord(held, earlier) };
  const method = networksOf(held).find(({ name }) => network === undefined || name === network);
  if (method === undefined || !allowsWithdrawals(held.asset)) throw invalid('The network is not supported');
  if (!new RegExp(addressRule(method.network)).test(to)) throw invalid('Please enter a valid email or bitcoin address');
  const amount = amountOf(input.data.amount, held);
  if ('scopes' in call.caller.by) checkCode(call, idem);
  return { data: sendRecord(held, booked(call, { held, method, to, amount, idem })) };
}

function amountOf(text: string, { asset }: Held): Amount {
  try {
    const amount = Amount.parseInput(text);
    if (amount.decimalPlaces() <= asset.decimals) return amount;
  } catch (error) {
    if (!(error instanceof InvalidAmount)) throw error;
  }
  throw invalid('The amount is not valid');
}

/** A request without the right code makes the exchange send a new code. @throws CoinbaseError */
function checkCode({ exchange, account, code, now }: CoinbaseCall, idem: string): void {
  const { messages, spentCodes } = exchange.book(account);
  const sent = messages.findLast(({ challengeId }) => challengeId === idem);
  const spent = `${idem} ${code}`;
  const isFresh = sent !== undefined && now.getTime() - sent.at <= CODE_LASTS_MS && !spentCodes.has(spent);
  if (isFresh && sent.code === code) return exchange.commit({ spentCode: { accountId: account.id, code: spent } });
  const text = String(randomInt(1_000_000, 10_000_000));
  const message = { accountId: account.id, kind: 'sms', to: 'the owner', code: text, challengeId: idem } as const;
  exchange.commit({ messages: [{ ...message, at: now.getTime() }] });
  throw new CoinbaseError('two_factor_required', 'Two-step verification code required to complete this request');
}

interface Send {
  held: Held;
  method: FundingMethod;
  to: string;
  amount: Amount;
  idem: string;
}

function booked({ exchange, account, now }: CoinbaseCall, { held, method, to, amount, idem }: Send): Withdrawal {
  const { id: asset } = held.asset;
  const refid = exchange.newId('C');
  const fee = Amount.of(method.fee);
  const withdrawal: Withdrawal = {
    refid,
    accountId: account.id,
    asset,
    method: method.method,
    network: method.network,
    key: '',
    address: to,
    memo: null,
    amount: amount.toString(),
    fee: method.fee,
    status: 'Initial',
    canceled: false,
    txid: null,
    requestedAt: now.getTime(),
    ...(idem !== '' && { clientId: idem }),
  };
  const postings = [{ asset, type: 'withdrawal' as const, refid, amount: Amount.zero.minus(amount), fee }];
  try {
    exchange.commit({ withdrawal }, { account, now, postings });
  } catch (error) {
    if (error instanceof Overdrawn) throw invalid('You don’t have enough funds in this account for this transaction.');
    throw error;
  }
  return withdrawal;
}

const money = (amount: Amount | string, { asset: { code } }: Held) => ({ amount: amount.toString(), currency: code });
const STATUSES = {
  Initial: 'pending',
  Pending: 'pending',
  Settled: 'pending',
  Success: 'completed',
  Failure: 'failed',
};

function record(held: Held, one: Withdrawal | Deposit, rest: object): object {
  const id = uuidOf('transaction', one.refid);
  const path = `/v2/accounts/${held.uuid}/transactions/${id}`;
  return { id, status: STATUSES[one.status], description: null, resource: 'transaction', resource_path: path, ...rest };
}

/** A send shows the debited sum, its fee and the sum that arrives, as in the documented sample. */
function sendRecord(held: Held, one: Withdrawal): object {
  const debited = Amount.of(one.amount).plus(Amount.of(one.fee));
  return record(held, one, {
    type: 'send',
    amount: money(Amount.zero.minus(debited), held),
    created_at: timeOf(one.requestedAt),
    ...(one.canceled && { status: 'canceled' }),
    ...(one.clientId !== undefined && { idem: one.clientId }),
    network: {
      status: one.txid === null ? 'pending' : 'confirmed',
      network_name: NETWORKS[one.network] ?? one.network,
      transaction_fee: money(one.fee, held),
      transaction_amount: money(one.amount, held),
      ...(one.txid !== null && { hash: one.txid }),
    },
    to: { resource: `${NETWORKS[one.network]}_address`, address: one.address },
  });
}

function receiveRecord(held: Held, one: Deposit): object {
  const network = { status: 'confirmed', network_name: NETWORKS[one.network] ?? one.network, hash: one.txid };
  const facts = { type: 'receive', amount: money(one.amount, held), created_at: timeOf(one.receivedAt), network };
  return record(held, one, facts);
}

interface Entry {
  created_at: string;
  network: { transaction_fee?: { amount: string }; transaction_amount?: { amount: string } };
}

/** How faults change transactions. Only a send has a fee. */
export const historyForm: HistoryForm = {
  mapped: (body, change) => {
    const { data, ...rest } = (body ?? {}) as { data?: Entry | Entry[] };
    if (data === undefined) return body;
    const changed = change([data].flat().map(toHistoryRecord)).map(toEntry);
    return { ...rest, data: Array.isArray(data) ? changed : (changed[0] ?? null) };
  },
  timeOf: (record) => Date.parse((record as EntryRecord).entry.created_at),
};

type EntryRecord = HistoryRecord & { entry: Entry };

function toHistoryRecord(entry: Entry): EntryRecord {
  const { transaction_fee: fee, transaction_amount: amount } = entry.network;
  return { amount: amount?.amount ?? '0', fee: fee?.amount ?? '0', entry };
}

function toEntry(record: HistoryRecord): Entry {
  const { amount, fee, entry } = record as EntryRecord;
  const { transaction_fee: charged, transaction_amount: arriving } = entry.network;
  if (charged === undefined || arriving === undefined) return entry;
  const network = {
    ...entry.network,
    transaction_fee: { ...charged, amount: fee },
    transaction_amount: { ...arriving, amount },
  };
  return { ...entry, network };
}

/** The record of a transaction of a list. */
function transactionRecord({ exchange, account }: CoinbaseCall, held: Held, refid: string): object {
  const { withdrawals, deposits } = exchange.book(account);
  const [sent, received] = [withdrawals.get(refid), deposits.get(refid)];
  if (sent !== undefined) return sendRecord(held, sent);
  if (received === undefined) throw new Error(`the list has no transaction ${refid}`);
  return receiveRecord(held, received);
}

/** What a list contains. The record of an entry is made when a page shows it. */
interface Listing {
  length: number;
  indexOf: (id: string) => number;
  part: (from: number, to: number) => { id: string; record: object }[];
}

function listingOf(all: readonly { id: string; record: object }[]): Listing {
  return {
    length: all.length,
    indexOf: (sought) => all.findIndex(({ id }) => id === sought),
    part: (from, to) => all.slice(from, to),
  };
}

/** The requested page of a list; https://docs.cdp.coinbase.com/coinbase-app/api-architecture/pagination */
function paged({ query }: CoinbaseCall, path: string, all: Listing): unknown {
  const limit = Number(query.get('limit') ?? 25);
  const after = query.get('starting_after');
  const start = after === null ? 0 : all.indexOf(after) + 1;
  const isKnown = after === null || start > 0;
  if (!Number.isInteger(limit) || limit < 1 || limit > PAGE_MAX || !isKnown)
    throw new CoinbaseError(
      'invalid_request',
      `limit must be 1 to ${PAGE_MAX}, and starting_after must be an id of the list`,
    );
  const page = all.part(start, start + limit);
  const next = start + limit < all.length ? `${path}?limit=${limit}&starting_after=${page.at(-1)?.id}` : null;
  const pagination = {
    ending_before: null,
    starting_after: after,
    limit,
    order: 'desc',
    previous_uri: null,
    next_uri: next,
  };
  return { pagination, data: page.map((one) => one.record) };
}

export function transactions(call: CoinbaseCall): unknown {
  demand(call.caller, { scope: 'wallet:transactions:read', permission: 'view' });
  const held = heldOf(call);
  const order = transactionOrder(call.exchange.book(call.account), held.asset);
  return paged(call, `/v2/accounts/${held.uuid}/transactions`, {
    length: order.refids.length,
    indexOf: (id) => order.places.get(id) ?? -1,
    part: (from, to) =>
      order.refids
        .slice(from, to)
        .map((refid) => ({ id: uuidOf('transaction', refid), record: transactionRecord(call, held, refid) })),
  });
}

export function transaction(call: CoinbaseCall): unknown {
  demand(call.caller, { scope: 'wallet:transactions:read', permission: 'view' });
  const held = heldOf(call);
  const order = transactionOrder(call.exchange.book(call.account), held.asset);
  const refid = order.refids[order.places.get(call.path['transaction_id'] ?? '') ?? -1];
  if (refid === undefined) throw new CoinbaseError('not_found', 'Not found');
  return { data: transactionRecord(call, held, refid) };
}

function addressRecord(
  { uuid }: Held,
  { address, method }: DepositAddress,
  network: string,
): { id: string; record: object } {
  const id = uuidOf('address', method, address);
  const path = `/v2/accounts/${uuid}/addresses/${id}`;
  return { id, record: { id, address, name: null, network, resource: 'address', resource_path: path } };
}

export function addresses(call: CoinbaseCall): unknown {
  demand(call.caller, { scope: 'wallet:addresses:read', permission: 'view' });
  const held = heldOf(call);
  const all = networksOf(held).flatMap(({ depositMethod, name }) => {
    const method = findDepositMethod(held.asset, depositMethod);
    const ofAccount = method === null ? [] : addressesOf(call.exchange, call.account, method);
    return ofAccount.map((one) => addressRecord(held, one, name));
  });
  return paged(call, `/v2/accounts/${held.uuid}/addresses`, listingOf(all.reverse()));
}

/**
 * Creates a deposit address. Coinbase on `network`: "If not provided, the default network for the account's asset will
 * be used."
 */
export function createAddress(call: CoinbaseCall): unknown {
  demand(call.caller, { scope: 'wallet:addresses:create', permission: 'transfer' });
  const held = heldOf(call);
  const { network } = z.object({ network: z.string().optional() }).parse(call.body ?? {});
  const listed = networksOf(held).find(({ name }) => network === undefined || name === network);
  const method = listed === undefined ? null : findDepositMethod(held.asset, listed.depositMethod);
  if (listed === undefined || method === null) throw invalid('The network is not supported');
  const existing = addressesOf(call.exchange, call.account, method);
  const depositAddress = nextDepositAddress(call.account.id, { asset: held.asset, method, existing });
  call.exchange.commit({ depositAddress });
  return { data: addressRecord(held, depositAddress, listed.name).record };
}
