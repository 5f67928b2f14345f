import { z } from 'zod';
import { Amount } from '#money';
import type { ExchangeOrder, OrderFee, OrderStatus } from '../port/trading.port.js';
import { formOf, valueOf, valueOr, type Field } from './entry-fields.js';
import { totalFees, type ReportedFees } from './order-fees.js';
import { amount, codeText, name, optionalAmount, optionalTime, optionalText, type CodeOf } from './response-fields.js';
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
  /** Absent or null = not reported. The cost is then calculated from the average price. */
  readonly cost?: Field<Amount | null>;
  /** true = the cost and the fees of an order are only in its trades, see `withTrades`. */
  readonly isPaidInTrades?: true;
  /** Absent, null or zero = not reported. The price is then calculated from the cost. */
  readonly averagePrice?: Field<Amount | null>;
  /** Absent = the exchange does not report the fees, or only in the order's trades. */
  readonly fees?: z.ZodType<ReportedFees>;
  /** If declared by a field name and not by a schema, the field must contain an epoch time. null = not reported. */
  readonly openedAt: Field<Date | null>;
  /** The time of the last change. For an order that has ended, it is the time of the end; absent = not reported. */
  readonly changedAt?: Field<Date | null>;
}

/** Reads an order. @throws when the entry is unreadable or contradicts itself */
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
    fees: valueOr(
      form.fees,
      formOf<ReportedFees>(() => null),
      null,
    ),
    openedAt: valueOf(form.openedAt, optionalTime),
    changedAt: valueOr(form.changedAt, optionalTime, null),
    executed: executionReader(form),
  };
  return (entry, codeOf) => {
    const limitPrice = read.limitPrice(entry);
    const reported = read.fees(entry);
    return withoutContradiction({
      exchangeId: read.exchangeId(entry),
      clientOrderId: read.clientOrderId(entry),
      ...orderStatus(form.statuses, read.status(entry), read.changedAt(entry)),
      volume: read.volume(entry),
      limitPrice: limitPrice?.isZero() === true ? null : limitPrice,
      ...read.executed(entry),
      fees: reported === null ? null : feesIn(reported, codeOf),
      openedAt: read.openedAt(entry),
      description: { pair: read.pair(entry), side: read.side(entry), type: read.type(entry) },
      raw: z.record(z.string(), z.unknown()).parse(entry),
    });
  };
}

function feesIn(reported: readonly OrderFee[], codeOf: CodeOf): OrderFee[] {
  return totalFees(reported).map(({ asset, amount: fee }) => ({
    asset: asset === null ? null : codeOf(asset),
    amount: fee,
  }));
}

/**
 * Returns the order. An order of which nothing is executed has no fees, also if the exchange does not report them.
 * @throws when values of the order contradict each other
 */
export function withoutContradiction(order: ExchangeOrder): ExchangeOrder {
  const problem = contradictionIn(order);
  if (problem !== null) throw new Error(problem);
  return order.executedVolume.isZero() ? { ...order, fees: [] } : order;
}

/** The problem of an order whose values contradict each other; null = there is none. */
function contradictionIn(order: ExchangeOrder): string | null {
  const { status, volume, executedVolume: executed, cost, averagePrice, limitPrice, fees } = order;
  const amounts = [executed, cost, averagePrice, limitPrice ?? Amount.zero];
  if (!volume.isPositive() || amounts.some((each) => each.isNegative()))
    return 'an amount of the order is negative, or its volume is zero';
  if (executed.greaterThan(volume)) return 'more than the volume of the order is executed';
  const isWhole = executed.equals(volume);
  if (status === 'filled' && !isWhole) return 'the order is filled, and a part of it is not executed';
  if (status === 'open' && isWhole) return 'the order is open, and nothing of it is left';
  const hasCost = !cost.isZero() || (fees ?? []).length > 0;
  if (executed.isZero() && hasCost) return 'nothing of the order is executed, and it has a cost or a fee';
  return null;
}

/** The average price of an executed volume, from its cost. */
export function averagePriceOf(cost: Amount, volume: Amount): Amount {
  return volume.isZero() ? Amount.zero : cost.dividedBy(volume, PRICE_DECIMALS);
}

/** One trade of an order. The cost is in the quote asset. */
export interface OrderTrade {
  readonly volume: Amount;
  readonly cost: Amount;
  /** null = not reported. */
  readonly fee: Amount | null;
  /** The exchange's id of the asset; null = not reported. */
  readonly feeAsset: string | null;
}

/**
 * Adds the cost and the fees of an order's trades to the order, of which a part is executed; null = trades are missing
 * or contradict the order.
 * @param trades oldest first. They are read after the order, so the last trades may be newer than the order's executed
 *   volume. Such trades do not count.
 */
export function withTrades(order: ExchangeOrder, trades: readonly OrderTrade[], codeOf: CodeOf): ExchangeOrder | null {
  const { executedVolume } = order;
  let counted = Amount.zero;
  const ours = trades.filter(({ volume }) => {
    const isMissing = counted.lessThan(executedVolume);
    if (isMissing) counted = counted.plus(volume);
    return isMissing;
  });
  const cost = Amount.sum(ours.map((each) => each.cost));
  const isWhole = counted.equals(executedVolume) && !ours.some(({ volume }) => volume.isNegative());
  if (!isWhole || !cost.isPositive()) return null;
  return {
    ...order,
    cost,
    averagePrice: averagePriceOf(cost, executedVolume),
    fees: feesOfTrades(ours, codeOf),
  };
}

/** null = the fee of a trade is not reported, so the sum is not known. */
function feesOfTrades(trades: readonly OrderTrade[], codeOf: CodeOf): OrderFee[] | null {
  const reported = trades.flatMap(({ fee, feeAsset: asset }) =>
    fee === null || asset === null ? [] : { asset, amount: fee },
  );
  return reported.length === trades.length ? feesIn(reported, codeOf) : null;
}

type Execution = Pick<ExchangeOrder, 'executedVolume' | 'cost' | 'averagePrice'>;

function executionReader(form: OrderForm): (entry: unknown) => Execution {
  const { executedVolume, cost, averagePrice, isPaidInTrades = false } = form;
  const volumeOf = valueOf(executedVolume, amount);
  const costOf = valueOr(cost, optionalAmount, null);
  const priceOf = valueOr(averagePrice, optionalAmount, null);
  return (entry) => {
    const [volume, ownCost, ownPrice] = [volumeOf(entry), costOf(entry), priceOf(entry) ?? Amount.zero];
    const isPaid = isPaidInTrades || ownCost?.isZero() === false || !ownPrice.isZero();
    if (!volume.isZero() && !isPaid) throw new Error('the order is executed, and has neither a cost nor a price');
    const price = ownPrice.isZero() && ownCost !== null ? averagePriceOf(ownCost, volume) : ownPrice;
    return { executedVolume: volume, cost: ownCost ?? volume.times(price), averagePrice: price };
  };
}
