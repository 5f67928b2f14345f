import type { HistoryRecord } from '#exchange';
import type { Amount } from '#money';
import { betterNetwork, networkName } from '../history/network-name.js';
import { Transaction } from '../history/transaction.entity.js';
import type { SyncedWallet } from './sync-store.js';

/** A record with its values in US dollars at the time of the record; null = not known. */
export interface PricedRecord {
  record: HistoryRecord;
  amountInFiat: Amount | null;
  feeInFiat: Amount | null;
}

/** Columns of a row that a record of the exchange may change. */
export const mutable = [
  'walletId',
  'status',
  'amount',
  'fee',
  'feeAsset',
  'amountInFiat',
  'feeInFiat',
  'fiatCurrency',
  'addressTo',
  'tag',
  'network',
  'hash',
  'rawStatus',
] as const satisfies (keyof Transaction)[];

/** Columns that no response shows. */
const hidden: readonly string[] = ['walletId', 'rawStatus'];

export type Mutable = Pick<Transaction, (typeof mutable)[number]>;

/** Returns the new row of a record. */
export function toTransaction(
  { record, amountInFiat, feeInFiat }: PricedRecord,
  wallet: SyncedWallet,
  { id, now }: { id: string; now: Date },
): Transaction {
  return Object.assign(new Transaction(), {
    id,
    projectId: wallet.projectId,
    walletId: wallet.id,
    externalWalletId: wallet.externalWalletId,
    exchange: wallet.exchange,
    exchangeTransactionId: record.exchangeId,
    type: record.kind,
    direction: record.kind === 'deposit' ? ('in' as const) : ('out' as const),
    status: record.status,
    asset: record.asset,
    exchangeAsset: record.assetId ?? null,
    amount: record.amount,
    fee: record.fee,
    feeAsset: record.feeAsset,
    amountInFiat,
    feeInFiat,
    fiatCurrency: currencyOf(amountInFiat, feeInFiat),
    addressTo: record.address,
    addressFrom: null,
    tag: record.tag,
    network: networkName(wallet.exchange, record),
    hash: record.hash,
    origin: 'exchange' as const,
    supersededBy: null,
    rawStatus: record.rawStatus,
    confirmedAt: null,
    blockHeight: null,
    nextEnrichAt: null,
    enrichAskedAt: null,
    enrichCount: 0,
    occurredAt: record.at,
    createdAt: now,
    updatedAt: now,
  });
}

/**
 * Returns the changeable columns of a row after a new reading of its record. Only a settlement changes the status of
 * our own withdrawals, and a settled status never changes. Known facts are never removed.
 */
export function merge(row: Transaction, priced: PricedRecord, wallet: SyncedWallet): Mutable {
  const { record } = priced;
  const isOpen = row.origin === 'exchange' && row.status === 'pending';
  const moved = movedOf(row, record, isOpen);
  const { amountInFiat, feeInFiat } = valuesOf(row, priced, moved);
  return {
    // A pending row is assigned to the wallet that is connected now, because the next reading looks for the row there.
    walletId: isOpen ? wallet.id : row.walletId,
    status: isOpen ? record.status : row.status,
    ...moved,
    amountInFiat,
    feeInFiat,
    fiatCurrency: currencyOf(amountInFiat, feeInFiat),
    addressTo: row.addressTo ?? record.address,
    tag: row.tag ?? record.tag,
    network: betterNetwork(row.network, networkName(wallet.exchange, record)),
    hash: record.hash ?? row.hash,
    rawStatus: record.rawStatus,
  };
}

type Moved = Pick<Transaction, 'amount' | 'fee' | 'feeAsset'>;

/**
 * Returns the amount and the fee of the row after the merge. Both come either from the row or from the record, because
 * a mix of both would add up to a wrong debit. Only if the record has no fee, a pending row takes its amount from the
 * record and keeps its own fee.
 */
function movedOf(row: Transaction, record: HistoryRecord, isOpen: boolean): Moved {
  const { amount, fee, feeAsset } = record;
  if (fee === null) return { amount: isOpen ? amount : row.amount, fee: row.fee, feeAsset: row.feeAsset };
  // The withdrawal lib decides the debit of our own withdrawal. A record may only divide this debit differently into
  // amount and fee.
  const isSame = row.origin === 'execution' ? isSameDebit(row, { amount, fee, feeAsset }) : amount.equals(row.amount);
  return isOpen || isSame ? { amount, fee, feeAsset } : { amount: row.amount, fee: row.fee, feeAsset: row.feeAsset };
}

function isSameDebit(row: Transaction, { amount, fee, feeAsset }: Moved): boolean {
  if (fee === null || row.fee === null || feeAsset !== row.asset || row.feeAsset !== row.asset) return false;
  return amount.plus(fee).equals(row.amount.plus(row.fee));
}

/**
 * Returns the values of `amount` and `fee` in US dollars. The row's value stays if the amount does not change.
 * Otherwise, or if the row has no value, the record's value is used if the record has the merged amount.
 */
function valuesOf(
  row: Transaction,
  { record, amountInFiat, feeInFiat }: PricedRecord,
  { amount, fee }: Moved,
): Pick<Transaction, 'amountInFiat' | 'feeInFiat'> {
  const known = {
    amountInFiat: amount.equals(row.amount) ? row.amountInFiat : null,
    feeInFiat: isEqual(fee, row.fee) ? row.feeInFiat : null,
  };
  return {
    amountInFiat: known.amountInFiat ?? (amount.equals(record.amount) ? amountInFiat : null),
    feeInFiat: known.feeInFiat ?? (isEqual(fee, record.fee) ? feeInFiat : null),
  };
}

/** Whether any column differs, and whether a response shows the difference. */
export function differences(row: Transaction, next: Mutable): { isChanged: boolean; isVisible: boolean } {
  const changed = mutable.filter((column) => !isEqual(row[column], next[column]));
  return { isChanged: changed.length > 0, isVisible: changed.some((column) => !hidden.includes(column)) };
}

/** Whether the row and the record have different final statuses. */
export function isContradiction(row: Pick<Transaction, 'status'>, { status }: Pick<HistoryRecord, 'status'>): boolean {
  return row.status !== 'pending' && status !== 'pending' && row.status !== status;
}

function currencyOf(...values: (Amount | null)[]): 'USD' | null {
  return values.every((value) => value === null) ? null : 'USD';
}

function isEqual(a: Amount | string | null, b: Amount | string | null): boolean {
  return (a?.toString() ?? null) === (b?.toString() ?? null);
}
