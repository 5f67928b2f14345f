import type { z } from 'zod';
import { Amount } from '#money';
import type { OrderFee } from '../port/trading.port.js';
import { formOf, valueOf, valueOr, type Field } from './entry-fields.js';
import { optionalAmount, optionalText } from './response-fields.js';

/**
 * The fees of an order as its entry reports them, with the exchange's ids of the assets; null = they are not reported.
 */
export type ReportedFees = readonly OrderFee[] | null;

/**
 * Returns a schema that reads one fee from two fields of an entry. A fee without its asset counts as not reported.
 * @param asset absent = the exchange takes every fee in the quote asset
 */
export function feeForm(fee: Field<Amount | null>, asset?: Field<string | null>): z.ZodType<ReportedFees> {
  const amountOf = valueOf(fee, optionalAmount);
  const assetOf = valueOr(asset, optionalText, null);
  return formOf((entry) => {
    const amount = amountOf(entry);
    const assetId = assetOf(entry);
    if (amount === null) return null;
    if (amount.isZero()) return [];
    return assetId === null && asset !== undefined ? null : [{ asset: assetId, amount }];
  });
}

/** Adds up the fees of each asset, and leaves out those that are zero. */
export function totalFees(fees: readonly OrderFee[]): OrderFee[] {
  const totals = new Map<string | null, Amount>();
  for (const { asset, amount } of fees) totals.set(asset, (totals.get(asset) ?? Amount.zero).plus(amount));
  return [...totals].flatMap(([asset, amount]) => (amount.isZero() ? [] : [{ asset, amount }]));
}
