import { assetById, type SandboxAsset } from '../catalogue.js';
import type { AccountBook } from '../ledger/state.js';
import { uuidOf } from './wallets.js';

interface TransactionOrder {
  /** Newest first. */
  refids: string[];
  /** The index of a transaction in the list, by Coinbase's id. */
  places: Map<string, number>;
}

interface Kept extends TransactionOrder {
  /** The number of records when the order was made. A record that changes keeps its place. */
  records: number;
}

const kept = new WeakMap<AccountBook, Map<SandboxAsset, Kept>>();

/**
 * The order of the deposits and withdrawals of one asset; trades are left out. It is made again only after a new
 * record, so the last page of a long list costs no more than the first.
 */
export function transactionOrder(book: AccountBook, asset: SandboxAsset): TransactionOrder {
  const { withdrawals, deposits } = book;
  const orders = kept.get(book) ?? new Map<SandboxAsset, Kept>();
  kept.set(book, orders);
  const records = withdrawals.size + deposits.size;
  const known = orders.get(asset);
  if (known?.records === records) return known;
  const refids = [
    ...[...withdrawals.values()].map((one) => ({ ...one, at: one.requestedAt })),
    ...[...deposits.values()].map((one) => ({ ...one, at: one.receivedAt })),
  ]
    .filter((one) => assetById(one.asset) === asset)
    .sort((a, b) => b.at - a.at)
    .map(({ refid }) => refid);
  const places = new Map(refids.map((refid, index) => [uuidOf('transaction', refid), index]));
  const made = { refids, places, records };
  orders.set(asset, made);
  return made;
}
