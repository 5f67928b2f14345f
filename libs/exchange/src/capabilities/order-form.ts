import { z } from 'zod';
import { Amount } from '#money';
import type { ExchangeOrder, OrderStatus } from '../port/trading.port.js';
import { valueOf, valueOr, type Field } from './entry-fields.js';
import {
  amount,
  codeText,
  milliseconds,
  name,
  optionalAmount,
  optionalMilliseconds,
  optionalText,
  type CodeOf,
} from './response-fields.js';
import { orderStatus } from './status-tables.js';

/** Decimal places of an average price that we calculate. */
const PRICE_DECIMALS = 18;

/** For each value of an order, the field of the exchange's entry that contains it. */
export interface OrderForm {
  readonly exchangeId: Field<string>;
  readonly clientOrderId: Field<string | null>;
  readonly status: Field<string>;
  readonly statuses: Readonly<Record<string, OrderStatus>>;
  readonly pair: Field<string>;
  readonly side: Field<string>;
  readonly type: Field<string>;
  readonly volume: Field<Amount>;
  /** Zero counts as not reported: exchanges return it for market orders. Absent = the exchange does not report it. */
  readonly limitPrice?: Field<Amount | null>;
  readonly executedVolume: Field<Amount>;
  /** Absent = the cost is calculated from the average price. */
  readonly cost?: Field<Amount>;
  /** Absent, null or zero = not reported. The price is then calculated from the cost, or is zero without a cost. */
  readonly averagePrice?: Field<Amount | null>;
  /** Absent or null = the exchange does not report the fee; the fee of the order is then zero. */
  readonly fee?: Field<Amount | null>;
  /** The exchange's id of the asset; not reported = the quote asset. */
  readonly feeAsset?: Field<string | null>;
  /**
   * If declared by a field name and not by a schema, the field must contain epoch milliseconds. null = not reported.
   */
  readonly openedAt: Field<Date | null>;
  /** The time of the last change. For an order that has ended, it is the time of the end; absent = not reported. */
  readonly changedAt?: Field<Date | null>;
}

/** Reads an order. @throws when the entry is unreadable */
export type OrderReader = (entry: unknown, codeOf: CodeOf) => ExchangeOrder;

export function orderReader(form: OrderForm): OrderReader {
  const read = {
    exchangeId: valueOf(form.exchangeId, codeText),
    clientOrderId: valueOf(form.clientOrderId, optionalText),
    status: valueOf(form.status, name),
    pair: valueOf(form.pair, name),
    side: valueOf(form.side, name),
    type: valueOf(form.type, name),
    volume: valueOf(form.volume, amount),
    limitPrice: valueOr(form.limitPrice, optionalAmount, null),
    fee: valueOr(form.fee, optionalAmount, null),
    feeAsset: valueOr(form.feeAsset, optionalText, null),
    openedAt: valueOf(form.openedAt, milliseconds),
    changedAt: valueOr(form.changedAt, optionalMilliseconds, null),
    executed: executionReader(form),
  };
  return (entry, codeOf) => {
    const [feeAsset, limitPrice] = [read.feeAsset(entry), read.limitPrice(entry)];
    return {
      exchangeId: read.exchangeId(entry),
      clientOrderId: read.clientOrderId(entry),
      ...orderStatus(form.statuses, read.status(entry), read.changedAt(entry)),
      volume: read.volume(entry),
      limitPrice: limitPrice?.isZero() === true ? null : limitPrice,
      ...read.executed(entry),
      fee: read.fee(entry) ?? Amount.zero,
      feeAsset: feeAsset === null ? null : codeOf(feeAsset),
      openedAt: read.openedAt(entry),
      description: { pair: read.pair(entry), side: read.side(entry), type: read.type(entry) },
      raw: z.record(z.string(), z.unknown()).parse(entry),
    };
  };
}

/** The average price of an executed volume, from its cost. */
export function averagePriceOf(cost: Amount, volume: Amount): Amount {
  return volume.isZero() ? Amount.zero : cost.dividedBy(volume, PRICE_DECIMALS);
}

/** One trade of an order. The cost is in the quote asset. */
export interface OrderTrade {
  readonly volume: Amount;
  readonly cost: Amount;
  readonly fee: Amount;
  /** The exchange's id of the asset. */
  readonly feeAsset: string;
}

/**
 * Adds the cost and the fee of an order's trades to the order; null = trades are missing.
 * @param trades oldest first. They are read after the order, so the last trades may be newer than the order's executed
 *   volume. Such trades do not count.
 */
export function withTrades(order: ExchangeOrder, trades: readonly OrderTrade[], codeOf: CodeOf): ExchangeOrder | null {
  const { executedVolume, raw } = order;
  let counted = Amount.zero;
  const ours = trades.filter(({ volume }) => {
    const isMissing = counted.lessThan(executedVolume);
    if (isMissing) counted = counted.plus(volume);
    return isMissing;
  });
  if (!counted.equals(executedVolume)) return null;
  const cost = Amount.sum(ours.map((each) => each.cost));
  const charged = ours.filter(({ fee }) => !fee.isZero());
  // Only fees in the asset of the first fee are added. Fees in other assets, which the exchange charges when the first
  // asset is used up, are only in `raw`.
  const asset = charged[0]?.feeAsset;
  return {
    ...order,
    cost,
    averagePrice: averagePriceOf(cost, executedVolume),
    fee: Amount.sum(charged.filter(({ feeAsset }) => feeAsset === asset).map(({ fee }) => fee)),
    feeAsset: asset === undefined ? null : codeOf(asset),
    raw: { ...raw, commissions: charged.map(({ fee, feeAsset }) => `${fee} ${feeAsset}`) },
  };
}

type Execution = Pick<ExchangeOrder, 'executedVolume' | 'cost' | 'averagePrice'>;

function executionReader({ executedVolume, cost, averagePrice }: OrderForm): (entry: unknown) => Execution {
  const volumeOf = valueOf(executedVolume, amount);
  const costOf = valueOr(cost, amount, null);
  const priceOf = valueOr(averagePrice, optionalAmount, null);
  return (entry) => {
    const [volume, ownCost, ownPrice] = [volumeOf(entry), costOf(entry), priceOf(entry) ?? Amount.zero];
    const price = ownPrice.isZero() && ownCost !== null ? averagePriceOf(ownCost, volume) : ownPrice;
    return { executedVolume: volume, cost: ownCost ?? volume.times(price), averagePrice: price };
  };
}
