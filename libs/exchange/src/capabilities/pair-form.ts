import { z } from 'zod';
import { lookUp } from '../declaration/look-up.js';
import { decimal, name, NONE, type FeeTiers, type PairEntry } from '../declaration/pair-source.js';
import { formOf, valueOf, valueOr, type Field } from './entry-fields.js';

/** For each value of a pair (see `PairEntry`), the field of the exchange's entry that contains it. */
export interface PairForm {
  /** Default: each pair is a spot pair. */
  readonly isSpot?: z.ZodType<boolean>;
  readonly base: Field<string>;
  readonly quote: Field<string>;
  readonly baseAsset?: z.ZodType<string>;
  readonly quoteAsset?: z.ZodType<string>;
  readonly symbol: Field<string>;
  readonly status: Field<string>;
  /** The schema of the order types, or the types by status. An entry with any other status takes no orders. */
  readonly orderTypes: z.ZodType<PairEntry['orderTypes']> | Readonly<Record<string, PairEntry['orderTypes']>>;
  /** Default: no margin. */
  readonly margin?: Field<boolean>;
  readonly tickSize: Field<string>;
  readonly stepSize: Field<string>;
  /** Absent = the minimum is one step. */
  readonly minBaseQty?: Field<string | null>;
  /** Absent = no minimum. */
  readonly minCost?: Field<string | null>;
  /** Absent = the list contains no fees, because they depend on the account. */
  readonly feeTiers?: z.ZodType<FeeTiers>;
}

const optionalDecimal = decimal.nullish().transform((text) => text ?? null);

/** Returns the schema of a pair. The parsed value is null for a pair that is not a spot pair. */
export function pairForm({ orderTypes, ...form }: PairForm): z.ZodType<PairEntry | null> {
  const read = {
    base: valueOf(form.base, name),
    quote: valueOf(form.quote, name),
    symbol: valueOf(form.symbol, name),
    status: valueOf(form.status, name),
    margin: valueOr(form.margin, z.boolean(), false),
    tickSize: valueOf(form.tickSize, decimal),
    stepSize: valueOf(form.stepSize, decimal),
    minBaseQty: valueOr(form.minBaseQty, optionalDecimal, null),
    minCost: valueOr(form.minCost, optionalDecimal, null),
  };
  return formOf((entry) => {
    const status = read.status(entry);
    const pair: PairEntry = {
      base: read.base(entry),
      quote: read.quote(entry),
      baseAsset: form.baseAsset?.parse(entry),
      quoteAsset: form.quoteAsset?.parse(entry),
      symbol: read.symbol(entry),
      status,
      orderTypes: orderTypes instanceof z.ZodType ? orderTypes.parse(entry) : (lookUp(orderTypes, status) ?? NONE),
      margin: read.margin(entry),
      tickSize: read.tickSize(entry),
      stepSize: read.stepSize(entry),
      minBaseQty: read.minBaseQty(entry),
      minCost: read.minCost(entry),
      feeTiers: form.feeTiers?.parse(entry) ?? [],
    };
    return form.isSpot?.parse(entry) === false ? null : pair;
  });
}
