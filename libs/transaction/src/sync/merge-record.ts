import type { HistoryRecord } from '#exchange';
import type { Amount } from '#money';
import { betterNetwork, networkName } from '../history/network-name.js';
import { Transaction } from '../history/transaction.entity.js';
import type { SyncedWallet } from './sync-store.js';

/** A record with what it was worth when it happened, in US dollars; null = not known. */
export interface PricedRecord {
  record: HistoryRecord;
  amountInFiat: Amount | null;
  feeInFiat: Amount | null;
}

/** What a record of the exchange may change of a row. */
const mutable = [
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

/** What of it nobody is shown. */
const hidden: readonly string[] = ['walletId', 'rawStatus'];

export type Mutable = Pick<Transaction, (typeof mutable)[number]>;

/** The row of a record that has none. */
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
 * What a record says now of a row that it has already. The status of a withdrawal of ours is moved by its settlement
 * alone, and a settled one never; facts are added, and known ones are not taken back.
 */
export function merge(row: Transaction, priced: PricedRecord, wallet: SyncedWallet): Mutable {
  const { record } = priced;
  const isOpen = row.origin === 'exchange' && row.status === 'pending';
  const moved = movedOf(row, record, isOpen);
  const { amountInFiat, feeInFiat } = valuesOf(row, priced, moved);
  return {
    // So that what is pending is found under the wallet that is connected now.
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

/** Amount and fee, always of one source: the fee of one beside the amount of the other would be another debit. */
function movedOf(row: Transaction, record: HistoryRecord, isOpen: boolean): Moved {
  const { amount, fee, feeAsset } = record;
  if (fee === null) return { amount: isOpen ? amount : row.amount, fee: row.fee, feeAsset: row.feeAsset };
  // What a withdrawal of ours debited is known, and its settlement knows what was sent: only its parts may be others.
  const isSame = row.origin === 'execution' ? isSameDebit(row, { amount, fee, feeAsset }) : amount.equals(row.amount);
  return isOpen || isSame ? { amount, fee, feeAsset } : { amount: row.amount, fee: row.fee, feeAsset: row.feeAsset };
}

function isSameDebit(row: Transaction, { amount, fee, feeAsset }: Moved): boolean {
  if (fee === null || row.fee === null || feeAsset !== row.asset || row.feeAsset !== row.asset) return false;
  return amount.plus(fee).equals(row.amount.plus(row.fee));
}

/** What the amounts were worth: known values stay, and a value of the record counts for the record's own amount alone. */
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

/** What is different, by column. */
export function differences(row: Transaction, next: Mutable): { isChanged: boolean; isVisible: boolean } {
  const changed = mutable.filter((column) => !isEqual(row[column], next[column]));
  return { isChanged: changed.length > 0, isVisible: changed.some((column) => !hidden.includes(column)) };
}

/** Two last words that are not the same. */
export function isContradiction(row: Pick<Transaction, 'status'>, { status }: Pick<HistoryRecord, 'status'>): boolean {
  return row.status !== 'pending' && status !== 'pending' && row.status !== status;
}

function currencyOf(...values: (Amount | null)[]): 'USD' | null {
  return values.every((value) => value === null) ? null : 'USD';
}

function isEqual(a: Amount | string | null, b: Amount | string | null): boolean {
  return (a?.toString() ?? null) === (b?.toString() ?? null);
}
