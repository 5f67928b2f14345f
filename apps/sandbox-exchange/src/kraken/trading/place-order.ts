import { Amount } from '#money';
import type { SandboxPair } from '../../data/pairs.js';
import { Overdrawn, type Exchange } from '../../exchange.js';
import type { Order, PairStatus } from '../../ledger/records.js';
import { KrakenError, required, type KeylessCall } from '../handler.js';
import { bestOf, offersTo, statusOf, volumeOf, type Lot } from '../../trading/order-book.js';
import { trade, type RestOf } from '../../trading/trade.js';
import { knownPair } from './market.js';
import { describe } from './orders.js';
import { readDeadline, readOrder } from './read-order.js';

/**
 * Maximum number of open orders in one pair. Kraken's limit depends on the client:
 * https://docs.kraken.com/exchange/guides/general/ratelimits
 */
const OPEN_ORDERS_MAX = 225;

const isPostOnly = ({ oflags }: Order) => oflags.split(',').includes('post');

/**
 * The error texts come from docs.kraken.com/exchange/guides/general/errors. That page lacks texts for limit_only and
 * reduce_only; ours are modelled on the others. reduce_only refuses spot orders, because they reduce no position.
 */
function checkStatus(order: Order, status: PairStatus): void {
  if (status === 'maintenance') throw new KrakenError('EService:Unavailable');
  const refused =
    status === 'cancel_only' ||
    status === 'reduce_only' ||
    (status === 'limit_only' && order.type === 'market') ||
    (status === 'post_only' && !isPostOnly(order));
  if (refused) throw new KrakenError(`EService:Market in ${status} mode`);
}

function checkMinimum({ volume }: Order, { info }: SandboxPair): void {
  if (Amount.of(volume).lessThan(Amount.of(info.ordermin))) throw new KrakenError('EOrder:Order minimum not met');
}

function checkCost({ volume }: Order, { info }: SandboxPair, price: Amount): void {
  if (Amount.of(volume).times(price).lessThan(Amount.of(info.costmin))) {
    throw new KrakenError('EOrder:Cost minimum not met');
  }
}

function checkOpenOrders({ exchange, account }: KeylessCall, pair: SandboxPair): void {
  const { orders, openOrders } = exchange.book(account);
  if (openOrders.size < OPEN_ORDERS_MAX) return;
  const open = [...openOrders].filter((id) => orders.get(id)?.pair === pair.id);
  if (open.length >= OPEN_ORDERS_MAX) throw new KrakenError('EOrder:Orders limit exceeded');
}

function checkClientOrderId({ exchange, account }: KeylessCall, { clientOrderId }: Order): void {
  const book = exchange.book(account);
  const isOpen = (id: string) => book.orders.get(id)?.clientOrderId === clientOrderId;
  if (clientOrderId !== null && [...book.openOrders].some(isOpen)) {
    // Clients report this text; it is not documented.
    throw new KrakenError('EGeneral:Invalid arguments:cl_ord_id not unique');
  }
}

/**
 * Source: https://docs.kraken.com/api-reference/trading/add-order. Market orders, and limit orders that cross the best
 * price, trade at once. With `validate` the order does not reach the market, so its funds are not checked.
 * `hasMinimum`: an order needs the smallest volume of the pair.
 */
export function addOrder(call: KeylessCall, rules: { hasMinimum?: boolean } = {}): { descr: object; txid?: string[] } {
  const { params, exchange, now } = call;
  const pair = knownPair(required(params, 'pair'));
  const order = readOrder(call, pair);
  const deadline = readDeadline(call);
  checkStatus(order, statusOf(exchange, pair));
  const limit = order.limitPrice === null ? null : Amount.of(order.limitPrice);
  const best = bestOf(exchange, pair);
  if (rules.hasMinimum ?? true) checkMinimum(order, pair);
  checkCost(order, pair, limit ?? (order.side === 'buy' ? best.ask : best.bid));
  const descr = { order: describe(order, pair) };
  if (['true', '1'].includes(params['validate'] ?? '')) return { descr };

  if (deadline !== null && now > deadline) throw new KrakenError('EService:Deadline elapsed');
  checkOpenOrders(call, pair);
  checkClientOrderId(call, order);
  enter(exchange, order, { pair, limit, now });
  return { descr, txid: [order.id] };
}

/** Enters the order into the market: a part trades at once if it finds offers; the rest stays open or is canceled. */
function enter(
  exchange: Exchange,
  order: Order,
  { pair, limit, now }: { pair: SandboxPair; limit: Amount | null; now: Date },
): void {
  const volume = Amount.of(order.volume);
  const { lots, change } = offersTo(exchange, pair, { side: order.side, volume, limit });
  if (isPostOnly(order) && lots.length > 0) throw new KrakenError('EOrder:Post only order');
  const isKilled = order.timeInForce === 'FOK' && volumeOf(lots).lessThan(volume);
  const taken: { lots: Lot[]; change: typeof change } = isKilled ? { lots: [], change: {} } : { lots, change };
  try {
    trade(exchange, { order, ...taken, role: 'taker', rest: restOf(order), now });
  } catch (error) {
    throw error instanceof Overdrawn ? new KrakenError('EOrder:Insufficient funds') : error;
  }
}

/**
 * Decides what happens to the volume that was not filled at once. Kraken documents that a market order "executes
 * immediately", so its unfilled part is canceled. It does not document the texts of the reasons.
 */
function restOf({ type, timeInForce }: Order): RestOf {
  if (type === 'market') return { kind: 'canceled', reason: 'Insufficient liquidity' };
  if (timeInForce === 'IOC') return { kind: 'canceled', reason: 'Immediate or cancel' };
  if (timeInForce === 'FOK') return { kind: 'canceled', reason: 'Fill or kill' };
  return { kind: 'waits' };
}
