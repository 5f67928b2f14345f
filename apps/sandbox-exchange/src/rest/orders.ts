import type { Call } from '../kraken/handler.js';
import { addOrder } from '../kraken/trading/place-order.js';
import type { Order } from '../ledger/records.js';
import type { ListedMarket, MarketList } from '../tickers/listed-markets.js';
import { Refusal } from './refusal.js';

interface OrderRequest {
  market: ListedMarket | null;
  side: string;
  /** `market` or `limit`. */
  type: string;
  volume: string;
  /** Empty for a market order. */
  price: string;
  /** The caller's own id; empty for none. */
  clientOrderId: string;
  /** The orders among which the id is unique; the default is `open`. */
  uniqueAmong?: 'open' | 'all';
  /** Whether the volume has a minimum; the default is true. */
  hasMinimum?: boolean;
}

/** Places an order through Kraken's AddOrder, and returns its id. @throws Refusal, KrakenError */
export function placeSpotOrder(
  call: Call,
  { market, type, clientOrderId, uniqueAmong, hasMinimum = true, ...order }: OrderRequest,
): string {
  if (market === null) throw new Refusal('pair_unknown');
  const { side, volume, price } = order;
  const isTaken = ({ clientOrderId: taken }: Order) => clientOrderId !== '' && taken === clientOrderId;
  const earlier = call.exchange.book(call.account).orders.values();
  if (uniqueAmong === 'all' && [...earlier].some(isTaken)) throw new Refusal('order_id_repeated');
  const params = { pair: market.pair.id, type: side, ordertype: type, volume, price, cl_ord_id: clientOrderId };
  return addOrder({ ...call, params }, { hasMinimum }).txid?.[0] ?? '';
}

interface SoughtOrder {
  markets: MarketList;
  /** Absent = any market. */
  symbol: string | undefined;
  /** The exchange's id of the order; when absent, the order is found by `clientOrderId`. */
  id: string | undefined;
  clientOrderId: string | undefined;
  /** An order that ended without a trade is forgotten after this time. */
  forgottenAfterMs: number;
}

/** Returns the newest order with `id`, or with `clientOrderId` when `id` is absent. @throws Refusal */
export function findSpotOrder({ exchange, account, now }: Call, sought: SoughtOrder) {
  const { markets, symbol, id, clientOrderId, forgottenAfterMs } = sought;
  const isMeant = (order: Order) => (id === undefined ? order.clientOrderId === clientOrderId : order.id === id);
  const found = [...exchange.book(account).orders.values()].findLast(isMeant);
  const market = markets.ofPair(found?.pair ?? '');
  if (found === undefined || market === null) throw new Refusal('order_unknown');
  if (symbol !== undefined && markets.symbolOf(market) !== symbol) throw new Refusal('order_unknown');
  const isUntraded = found.executedVolume === '0';
  const isForgotten = isUntraded && found.closedAt !== null && now.getTime() - found.closedAt > forgottenAfterMs;
  if (isForgotten) throw new Refusal('order_unknown');
  return { ...found, symbol: markets.symbolOf(market), quote: market.quote, isUntraded };
}
