import { z } from 'zod';
import { Amount } from '#money';
import { allPages } from '../../capabilities/cursor-pages.js';
import { idIn } from '../../capabilities/envelope.js';
import { averagePriceOf, orderReader } from '../../capabilities/order-form.js';
import { ReferenceOrders } from '../../capabilities/reference-orders.js';
import { amount, codeText, name } from '../../capabilities/response-fields.js';
import type { CcxtClient, Endpoint } from '../../ccxt/ccxt-client.js';
import type { ExchangeOrder } from '../../port/trading.port.js';
import { UnusableResponse } from '../../transport/failed-read.js';
import { binanceErrors } from './binance-errors.js';

/** developers.binance.com/docs/binance-spot-api-docs/rest-api/trading-endpoints, …/account-endpoints (July 2026) */
const endpoint = (method: 'GET' | 'POST', path: string): Endpoint => ({ api: 'private', method, path });
const ORDER = endpoint('GET', 'order');
const TRADES = endpoint('GET', 'myTrades');
const TRADES_PAGE = 1000;
/** "Order was canceled or expired with no executed qty over 90 days ago and has been archived." (-2026) */
const ARCHIVED_AFTER_MS = 90 * 86_400_000;

/** Query order */
const readOrder = orderReader({
  ...{ exchangeId: 'orderId', clientOrderId: 'clientOrderId', pair: 'symbol', side: 'side', type: 'type' },
  ...{ volume: 'origQty', executedVolume: 'executedQty', status: 'status' },
  statuses: {
    ...{ NEW: 'open', PENDING_NEW: 'open', PARTIALLY_FILLED: 'open', FILLED: 'filled', CANCELED: 'canceled' },
    ...{ REJECTED: 'canceled', EXPIRED: 'expired', EXPIRED_IN_MATCH: 'expired' },
  },
  ...{ openedAt: 'time', changedAt: 'updateTime' },
});

const placed = z.object({ orderId: codeText, clientOrderId: name }).transform(({ orderId }) => orderId);

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
    const order = await client.call(ORDER, params, readOrder);
    if (order.executedVolume.isZero()) return order;
    return { ...order, ...executionOf(client, order, await tradesOf(client, order)) };
  };
  return new ReferenceOrders(client, {
    endpoint: endpoint('POST', 'order'),
    acceptance: { statuses: [200], readId: idIn(placed) },
    errors: binanceErrors.orders,
    request: ({ exchangeSymbol, side, type, volume, price, clientOrderId }) => ({
      symbol: exchangeSymbol,
      side: side.toUpperCase(),
      type: type.toUpperCase(),
      quantity: volume.toString(),
      ...(price !== null && { price: price.toString(), timeInForce: 'GTC' }),
      newClientOrderId: clientOrderId,
      newOrderRespType: 'ACK',
    }),
    byReference: ({ clientOrderId, request: { symbol = '' } }) => read({ symbol, origClientOrderId: clientOrderId }),
    byId: ({ exchangeId, request: { symbol = '' } }) => read({ symbol, orderId: exchangeId }),
    forgetsAfterMs: ARCHIVED_AFTER_MS,
  });
}

/** All trades of an order, oldest first. "If fromId is set, it will get trades >= that fromId." */
function tradesOf(client: CcxtClient, { exchangeId: orderId, description }: ExchangeOrder): Promise<Trade[]> {
  return allPages(client.exchange, async (fromId) => {
    const params = { symbol: description.pair, orderId, fromId: fromId ?? '0', limit: String(TRADES_PAGE) };
    const entries = await client.call(TRADES, params, (body) => z.array(trade).parse(body));
    const last = entries.at(-1);
    return { entries, nextCursor: last === undefined || entries.length < TRADES_PAGE ? null : String(last.id + 1) };
  });
}

/**
 * The cost and the fee of the executed volume. The trades are read after the order, so later ones may be among them.
 * @throws UnusableResponse when trades are missing
 */
function executionOf(client: CcxtClient, order: ExchangeOrder, trades: readonly Trade[]): Partial<ExchangeOrder> {
  const { executedVolume: volume, raw } = order;
  let counted = Amount.zero;
  const ours = trades.filter(({ qty }) => {
    const isMissing = counted.lessThan(volume);
    if (isMissing) counted = counted.plus(qty);
    return isMissing;
  });
  if (!counted.equals(volume)) {
    throw new UnusableResponse(client.exchange, 'the trades of an order do not add up to its executed volume');
  }
  const sum = (amounts: readonly Amount[]): Amount => amounts.reduce((total, each) => total.plus(each), Amount.zero);
  const cost = sum(ours.map(({ quoteQty }) => quoteQty));
  const paid = ours.filter(({ commission }) => !commission.isZero());
  // A fee that was taken in several assets, because the discount's asset was used up, is in `raw`.
  const [{ commissionAsset: feeAsset } = { commissionAsset: null }] = paid;
  return {
    cost,
    averagePrice: averagePriceOf(cost, volume),
    fee: sum(paid.filter(({ commissionAsset }) => commissionAsset === feeAsset).map(({ commission }) => commission)),
    feeAsset: feeAsset === null ? null : client.codeOf(feeAsset),
    raw: { ...raw, commissions: paid.map(({ commission, commissionAsset }) => `${commission} ${commissionAsset}`) },
  };
}
