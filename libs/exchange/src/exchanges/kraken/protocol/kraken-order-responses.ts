import { z } from 'zod';
import { Amount } from '#money';
import type { OrderReceipt } from '../../../submission/order-outcome.js';
import { readerOrNull } from '../../../capabilities/entry-fields.js';
import { optionalAmount, optionalText as text } from '../../../capabilities/response-fields.js';
import { keyInfoOf, quantity, resultOf } from './kraken-responses.js';

/** The fields of orders that we read, https://docs.kraken.com/api-reference (spot REST). */

const added = z.object({
  result: z.object({ txid: z.array(z.string().min(1)).min(1), descr: z.object({ order: text }).nullish() }),
});

/** Reads the response to AddOrder; null = it has no order id, for example because the request was only validated. */
export function readReceipt(body: unknown): OrderReceipt | null {
  const parsed = added.safeParse(body);
  if (!parsed.success) return null;
  const { txid, descr } = parsed.data.result;
  return { exchangeIds: txid, description: descr?.order ?? null };
}

/** Epoch seconds with a fraction, as a number or as text; 0 = not set. */
const moment = z
  .union([z.number(), z.string()])
  .nullish()
  .transform((value) => Number(value ?? 0))
  .pipe(z.number().nonnegative())
  .transform((value) => (value === 0 ? null : new Date(Math.round(value * 1000))));

/** Kraken: "primary price". Other texts, such as "+5.0%" in orders of types that we do not place, become null. */
const price = z
  .string()
  .regex(/^\d+(\.\d+)?$/)
  .transform((digits) => Amount.of(digits))
  .nullable()
  .catch(null);

const order = z.object({
  cl_ord_id: text,
  status: z.string().min(1),
  opentm: moment,
  closetm: moment,
  descr: z.object({ pair: z.string(), type: z.string(), ordertype: z.string(), price }),
  vol: quantity,
  vol_exec: quantity,
  cost: quantity,
  fee: optionalAmount,
  /** Average price of the executed volume. */
  price: quantity,
});

export type KrakenOrder = z.infer<typeof order>;

/** Parses one order; null = it is unreadable. */
export const readOrder = readerOrNull(order);

/** Reads the client order id of an order; null = it is unreadable. */
export const readClientOrderId = readerOrNull(z.object({ cl_ord_id: text }).transform((one) => one.cl_ord_id));

/** Unparsed orders by the exchange's id. */
const entries = z.record(z.string(), z.record(z.string(), z.unknown()));
export type KrakenOrderEntries = z.infer<typeof entries>;

/** Kraken's documentation: QueryOrders. */
export const readOrders = resultOf(entries);

/** Reads the response to OpenOrders, which has all open orders. */
export const readOpenOrders = resultOf(z.object({ open: entries }).transform(({ open }) => open));

/** Reads the response to ClosedOrders, which has one page of closed orders. */
export const readClosedOrders = resultOf(z.object({ closed: entries }).transform(({ closed }) => closed));

/** The period whose data the key may read, from the response to GetApiKeyInfo; null = unlimited. */
const queryWindow = z
  .object({ queryFrom: moment, queryTo: moment })
  .transform(({ queryFrom: from, queryTo: to }) => ({ from, to }));
export type QueryWindow = z.infer<typeof queryWindow>;

export const readQueryWindow = keyInfoOf(queryWindow);
