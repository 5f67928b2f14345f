import { Amount, InvalidAmount } from '#money';
import { allowsWithdrawals, assetById, assets, type FundingMethod, type SandboxAsset } from '../catalogue.js';
import { addressRule } from '../data/address-rules.js';
import { withdraw } from '../kraken/funding/withdrawals.js';
import type { Call } from '../kraken/handler.js';
import type { History } from '../ledger/history.js';
import { Refusal } from './refusal.js';

/** The asset of a common code, such as BTC. @throws Refusal */
export function assetOf(code: string | undefined): SandboxAsset {
  const asset = assets.find((one) => one.code === code);
  if (asset === undefined) throw new Refusal('parameter_invalid', `no asset ${code}`);
  return asset;
}

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
  /** The amount that arrives; the fee is added. */
  amount: string;
  /** The caller's own id, unique in the account. */
  reference: string | undefined;
}

/** Books a withdrawal to a saved address, by the handler of Kraken's protocol. Returns its id. @throws Refusal */
export function requestWithdrawal(call: Call, requested: WithdrawalRequest): string {
  const { asset, method, address, tag, reference } = requested;
  const { savedAddresses, references, ...book } = bookOf(call, asset);
  if (reference !== undefined && references.has(reference)) throw new Refusal('reference_repeated');
  if (method === undefined || !allowsWithdrawals(asset)) throw new Refusal('network_unknown');
  const amount = amountOf(requested.amount);
  if (amount.lessThan(Amount.of(method.minimum))) throw new Refusal('below_minimum');
  if (amount.greaterThan(Amount.of(method.maximum))) throw new Refusal('above_maximum');
  if (method.memo !== null && tag === null) throw new Refusal('tag_missing');
  if (!new RegExp(addressRule(method.network)).test(address)) throw new Refusal('address_invalid');
  const saved = [...savedAddresses.values()]
    .filter((one) => one.verified && one.asset === asset.id && one.method === method.method)
    .find((one) => one.address === address && one.memo === tag);
  if (saved === undefined) throw new Refusal('address_not_saved');
  const gross = amount.plus(Amount.of(method.fee));
  if (book.free.lessThan(amount)) throw new Refusal('insufficient_funds');
  if (book.free.lessThan(gross)) throw new Refusal('insufficient_funds_for_fee');
  const params = { asset: asset.id, key: saved.key, amount: gross.toString() };
  return withdraw({ ...call, params }, reference).refid;
}

function bookOf({ exchange, account }: Call, { id }: SandboxAsset) {
  const book = exchange.book(account);
  return { savedAddresses: book.savedAddresses, references: book.references, free: book.free(id) };
}

interface Period<T> {
  /** Epoch milliseconds, both inclusive. */
  since: number;
  until: number;
  limit: number;
  /** Common code of the asset; absent = all. */
  asset: string | undefined;
  matches: (record: T) => boolean;
}

/** A page of deposits or withdrawals, newest first. */
export function transfersOf<T extends { refid: string; asset: string }>(
  history: History<T>,
  { asset, matches, ...period }: Period<T>,
): T[] {
  if (Object.values(period).some(Number.isNaN)) throw new Refusal('parameter_invalid');
  const isAsset = (one: T) => asset === undefined || assetById(one.asset).code === asset;
  return history.page({ ...period, cursor: null, matches: (one) => isAsset(one) && matches(one) }).records;
}
