import type { Call } from '../kraken/handler.js';
import { addOrder } from '../kraken/trading/place-order.js';
import type { Order } from '../ledger/records.js';
import type { ListedMarket } from '../tickers/listed-markets.js';
import { Refusal } from './refusal.js';

interface OrderRequest {
  market: ListedMarket | null;
  side: string;
  /** `market` or `limit`. */
  type: string;
  volume: string;
  /** Empty for a market order. */
  price: string;
  /** The caller's own id, unique among open orders; empty for none. */
  clientOrderId: string;
}

/** Places an order by the handler of Kraken's protocol. Returns its id. @throws Refusal, KrakenError */
export function placeSpotOrder(call: Call, { market, type, clientOrderId, ...order }: OrderRequest): string {
  if (market === null) throw new Refusal('pair_unknown');
  const { side, volume, price } = order;
  const params = { pair: market.pair.id, type: side, ordertype: type, volume, price, cl_ord_id: clientOrderId };
  return addOrder({ ...call, params }).txid?.[0] ?? '';
}

/** The latest of the matching orders in a market. @throws Refusal */
export function findSpotOrder(
  { exchange, account }: Call,
  market: ListedMarket | null,
  isMeant: (order: Order) => boolean,
): Order {
  const orders = [...exchange.book(account).orders.values()];
  const found = orders.findLast((order) => order.pair === market?.pair.id && isMeant(order));
  if (found === undefined) throw new Refusal('order_unknown');
  return found;
}
