import { z } from 'zod';
import { Amount } from '#money';
import { allPages } from '../../capabilities/cursor-pages.js';
import { ReferenceOrders } from '../../capabilities/reference-orders.js';
import {
  amount,
  codeText,
  milliseconds,
  name,
  optionalMilliseconds,
  type CodeOf,
} from '../../capabilities/response-fields.js';
import { orderStatus } from '../../capabilities/status-tables.js';
import type { CcxtClient, Endpoint } from '../../ccxt/ccxt-client.js';
import type { ExchangeOrder, OrderInstruction, OrderStatus, PreparedOrder } from '../../port/trading.port.js';
import type { OrderReceipt } from '../../submission/order-outcome.js';
import { UnusableResponse } from '../../transport/failed-read.js';
import { binanceOrderErrors } from './binance-errors.js';

/** developers.binance.com/docs/binance-spot-api-docs/rest-api/trading-endpoints, …/account-endpoints (July 2026) */
const endpoint = (method: 'GET' | 'POST', path: string): Endpoint => ({ api: 'private', method, path });
const ORDER = endpoint('GET', 'order');
const TRADES = endpoint('GET', 'myTrades');
const TRADES_PAGE = 1000;
/** "Order was canceled or expired with no executed qty over 90 days ago and has been archived." (-2026) */
const ARCHIVED_AFTER_MS = 90 * 86_400_000;
/** The decimals of an average price, which is calculated from the trades. */
const PRICE_DECIMALS = 18;

const orderStatuses: Readonly<Record<string, OrderStatus>> = {
  ...{ NEW: 'open', PENDING_NEW: 'open', PARTIALLY_FILLED: 'open', FILLED: 'filled', CANCELED: 'canceled' },
  ...{ REJECTED: 'canceled', EXPIRED: 'expired', EXPIRED_IN_MATCH: 'expired' },
};

/** Query order */
const orderForm = z.looseObject({
  ...{ symbol: name, orderId: codeText, clientOrderId: name, side: name, type: name, status: name },
  ...{ origQty: amount, executedQty: amount, time: milliseconds, updateTime: optionalMilliseconds },
});
type OrderForm = z.infer<typeof orderForm>;

/** Account trade list */
const trade = z.object({
  ...{ id: z.number().int(), qty: amount, quoteQty: amount, commission: amount, commissionAsset: name },
});
type Trade = z.infer<typeof trade>;

/**
 * Binance's orders. They have no submission deadline: after `recvWindow` a request is not forwarded to the matching
 * engine any more, but an order that was forwarded may be made later ("execution status unknown", -1007).
 */
export function binanceOrders(client: CcxtClient): ReferenceOrders {
  const read = async (params: Record<string, string>): Promise<ExchangeOrder> => {
    const one = await client.call(ORDER, params, (body) => orderForm.parse(body));
    const trades = one.executedQty.isZero() ? [] : await tradesOf(client, one);
    return toOrder(one, tradesBehind(client.exchange, one, trades), client.codeOf);
  };
  return new ReferenceOrders(client, {
    endpoint: endpoint('POST', 'order'),
    acceptance: { statuses: [200], readId: readOrderReceipt },
    errors: binanceOrderErrors,
    prepare: prepareOrder,
    byReference: ({ clientOrderId, request: { symbol = '' } }) => read({ symbol, origClientOrderId: clientOrderId }),
    byId: ({ exchangeId, request: { symbol = '' } }) => read({ symbol, orderId: exchangeId }),
    forgetsAfterMs: ARCHIVED_AFTER_MS,
  });
}

function prepareOrder({ exchangeSymbol, side, type, volume, price, clientOrderId }: OrderInstruction): PreparedOrder {
  return {
    request: {
      symbol: exchangeSymbol,
      side: side.toUpperCase(),
      type: type.toUpperCase(),
      quantity: volume.toString(),
      ...(price !== null && { price: price.toString(), timeInForce: 'GTC' }),
      newClientOrderId: clientOrderId,
      newOrderRespType: 'ACK',
    },
    submissionDeadline: null,
  };
}

function readOrderReceipt(body: unknown): OrderReceipt | null {
  const parsed = z.object({ orderId: codeText, clientOrderId: name }).safeParse(body);
  return parsed.success ? { exchangeIds: [parsed.data.orderId], description: null } : null;
}

/** All trades of an order, oldest first. "If fromId is set, it will get trades >= that fromId." */
function tradesOf(client: CcxtClient, { symbol, orderId }: OrderForm): Promise<Trade[]> {
  return allPages(client.exchange, async (fromId) => {
    const params = { symbol, orderId, fromId: fromId ?? '0', limit: String(TRADES_PAGE) };
    const entries = await client.call(TRADES, params, (body) => z.array(trade).parse(body));
    const last = entries.at(-1);
    return { entries, nextCursor: last === undefined || entries.length < TRADES_PAGE ? null : String(last.id + 1) };
  });
}

/**
 * The trades that make up the executed volume. The list is read after the order, so it may contain later ones.
 * @throws UnusableResponse
 */
function tradesBehind(exchange: string, { executedQty }: OrderForm, trades: readonly Trade[]): Trade[] {
  let volume = Amount.zero;
  const counted = trades.filter(({ qty }) => {
    const isMissing = volume.lessThan(executedQty);
    if (isMissing) volume = volume.plus(qty);
    return isMissing;
  });
  if (volume.equals(executedQty)) return counted;
  throw new UnusableResponse(exchange, 'the trades of an order do not add up to its executed volume');
}

function toOrder(one: OrderForm, trades: readonly Trade[], codeOf: CodeOf): ExchangeOrder {
  const sumOf = (amounts: readonly Amount[]): Amount => amounts.reduce((sum, each) => sum.plus(each), Amount.zero);
  const cost = sumOf(trades.map(({ quoteQty }) => quoteQty));
  const paid = trades.filter(({ commission }) => !commission.isZero());
  // A fee that was taken in several assets, because the discount's asset was used up, is in `raw`.
  const feeAsset = paid[0]?.commissionAsset ?? null;
  return {
    exchangeId: one.orderId,
    clientOrderId: one.clientOrderId,
    ...orderStatus(orderStatuses, one.status, one.updateTime),
    volume: one.origQty,
    executedVolume: one.executedQty,
    cost,
    averagePrice: one.executedQty.isZero() ? Amount.zero : cost.dividedBy(one.executedQty, PRICE_DECIMALS),
    fee: sumOf(paid.filter(({ commissionAsset }) => commissionAsset === feeAsset).map(({ commission }) => commission)),
    feeAsset: feeAsset === null ? null : codeOf(feeAsset),
    openedAt: one.time,
    description: { pair: one.symbol, side: one.side, type: one.type },
    raw: { ...one, commissions: paid.map(({ commission, commissionAsset }) => `${commission} ${commissionAsset}`) },
  };
}
