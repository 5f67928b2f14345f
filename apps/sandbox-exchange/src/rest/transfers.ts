import { Amount, InvalidAmount } from '#money';
import { allowsWithdrawals, assetById, type FundingMethod, type SandboxAsset } from '../catalogue.js';
import { addressRule } from '../data/address-rules.js';
import { withdraw } from '../kraken/funding/withdrawals.js';
import type { Call } from '../kraken/handler.js';
import { UnknownCursor, type History } from '../ledger/history.js';
import type { SavedAddress, Withdrawal } from '../ledger/records.js';
import { Refusal } from './refusal.js';

function amountOf(text: string): Amount {
  try {
    return Amount.parseInput(text);
  } catch (error) {
    throw error instanceof InvalidAmount ? new Refusal('parameter_invalid', 'the amount is invalid') : error;
  }
}

interface WithdrawalRequest {
  asset: SandboxAsset;
  /** Absent = the exchange has no such network. */
  method: FundingMethod | undefined;
  address: string;
  tag: string | null;
  amount: string;
  /** `net` is what arrives; `gross` contains the fee. */
  amountIs: 'net' | 'gross';
  /** The caller's own id; empty for none. */
  reference: string;
  /** Whether the exchange refuses a second withdrawal with the same `reference`. */
  isUnique: boolean;
  /** How long the exchange then refuses another withdrawal of the asset on the network; absent = it does not. */
  everyMs?: number;
}

/**
 * Books a withdrawal to a saved address in the ledger, by the code that also serves Kraken's endpoint Withdraw.
 * @returns the id of the withdrawal. @throws Refusal
 */
export function requestWithdrawal(call: Call, requested: WithdrawalRequest): string {
  const { asset, method, address, reference } = requested;
  const { savedAddresses, references, ...book } = bookOf(call, asset);
  if (requested.isUnique && references.has(reference)) throw new Refusal('reference_repeated');
  if (method === undefined) throw new Refusal('network_unknown');
  const { everyMs = 0 } = requested;
  const isRecent = ({ requestedAt }: Withdrawal): boolean => call.now.getTime() - requestedAt < everyMs;
  const isEqual = (one: Withdrawal): boolean => one.asset === asset.id && one.network === method.network;
  if ([...book.withdrawals.values()].some((one) => isRecent(one) && isEqual(one))) throw new Refusal('rate_limited');
  if (!allowsWithdrawals(asset)) throw new Refusal('withdrawals_closed');
  const given = amountOf(requested.amount);
  if (given.decimalPlaces() > asset.decimals) throw new Refusal('amount_precision');
  const amount = requested.amountIs === 'net' ? given : given.minus(Amount.of(method.fee));
  if (amount.lessThan(Amount.of(method.minimum))) throw new Refusal('below_minimum');
  if (amount.greaterThan(Amount.of(method.maximum))) throw new Refusal('above_maximum');
  const saved = savedAddress(savedAddresses.values(), { method, address, tag: requested.tag, assetId: asset.id });
  const gross = amount.plus(Amount.of(method.fee));
  if (book.free.lessThan(amount)) throw new Refusal('insufficient_funds');
  if (book.free.lessThan(gross)) throw new Refusal('insufficient_funds_for_fee');
  const params = { asset: asset.id, key: saved.key, amount: gross.toString() };
  return withdraw({ ...call, params }, reference === '' ? undefined : reference).refid;
}

interface Destination {
  assetId: string;
  method: FundingMethod;
  address: string;
  tag: string | null;
}

/** @throws Refusal */
function savedAddress(saved: Iterable<SavedAddress>, { assetId, method, address, tag }: Destination): SavedAddress {
  const memo = tag === '' ? null : tag;
  if (method.memo !== null && memo === null) throw new Refusal('tag_missing');
  if (!new RegExp(addressRule(method.network)).test(address)) throw new Refusal('address_invalid');
  const found = [...saved]
    .filter((one) => one.verified && one.asset === assetId && one.method === method.method)
    .find((one) => one.address === address && one.memo === memo);
  if (found === undefined) throw new Refusal('address_not_saved');
  return found;
}

function bookOf({ exchange, account }: Call, { id }: SandboxAsset) {
  const book = exchange.book(account);
  const { savedAddresses, references, withdrawals } = book;
  return { savedAddresses, references, withdrawals, free: book.free(id) };
}

interface Period {
  /** Epoch milliseconds, both inclusive. */
  since: number;
  until: number;
}

/**
 * The period of a call. By default it ends now. `maxMs` is its longest and its default length.
 * @throws Refusal
 */
export function periodOf({ now }: Call, start: string | undefined, end: string | undefined, maxMs: number): Period {
  const until = Number(end ?? now.getTime());
  const since = Number(start ?? until - maxMs + 1);
  if (until - since >= maxMs) throw new Refusal('period_too_long');
  return { since, until };
}

interface Query<T> extends Period {
  /** Common code of the asset; absent = all. */
  asset: string | undefined;
  /** Values of fields that the records have; an undefined value does not count. */
  fields?: { readonly [K in keyof T]?: T[K] | undefined };
  /** Absent = no other condition. */
  matches?: ((record: T) => boolean) | undefined;
}

export interface Part {
  /** The number of records before the page. */
  from: number;
  limit: number;
  /** The largest limit. */
  max: number;
}

/** @throws Refusal */
function checkPart({ from, limit, max }: Part): void {
  if (!(from >= 0 && limit >= 1 && limit <= max)) throw new Refusal('parameter_invalid');
}

/** The deposits, withdrawals or ledger entries of an account that a query finds, page by page. */
export class FoundRecords<T extends { asset: string }> {
  private readonly filter: { since: number; until: number; matches: ((record: T) => boolean) | undefined };

  /** @throws Refusal */
  constructor(
    private readonly history: History<T>,
    { since, until, asset, fields = {}, matches }: Query<T>,
  ) {
    if (Number.isNaN(since) || Number.isNaN(until)) throw new Refusal('parameter_invalid');
    const sought = Object.entries(fields).filter(([, value]) => value !== undefined) as [keyof T, unknown][];
    const isAsset = (one: T) => asset === undefined || assetById(one.asset).code === asset;
    const isSought = (one: T) => isAsset(one) && sought.every(([field, value]) => one[field] === value);
    const isAny = asset === undefined && sought.length === 0 && matches === undefined;
    // A history returns pages without a condition much faster.
    const all = (one: T) => isSought(one) && (matches?.(one) ?? true);
    this.filter = { since, until, matches: isAny ? undefined : all };
  }

  count(): number {
    return this.history.count(this.filter);
  }

  /** Newest first. @throws Refusal */
  part(part: Part): T[] {
    checkPart(part);
    const { from: skipped, limit } = part;
    return this.history.page({ ...this.filter, cursor: null, skipped, limit }).records;
  }

  /** Oldest first. @throws Refusal */
  oldestPart(part: Part): T[] {
    checkPart(part);
    const { from, limit } = part;
    const rest = Math.max(0, this.count() - from);
    const skipped = Math.max(0, rest - limit);
    return this.history.page({ ...this.filter, cursor: null, skipped, limit: rest - skipped }).records.reverse();
  }

  /** The page after the record with the id `cursor`, newest first. An unknown id stands for no id. @throws Refusal */
  after(cursor: string | undefined, size: Omit<Part, 'from'>): T[] {
    checkPart({ from: 0, ...size });
    const page = { ...this.filter, limit: size.limit };
    try {
      return this.history.page({ ...page, cursor: cursor ?? null }).records;
    } catch (error) {
      if (!(error instanceof UnknownCursor)) throw error;
      return this.history.page({ ...page, cursor: null }).records;
    }
  }
}

/** Returns at most `limit` entries, from the position `from` on. `max` is the largest limit. @throws Refusal */
export function partOf<T>(all: readonly T[], part: Part): T[] {
  checkPart(part);
  return all.slice(part.from, part.from + part.limit);
}
