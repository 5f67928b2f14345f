import { Amount } from '#money';
import type { SandboxPair } from '../data/pairs.js';
import type { Exchange } from '../exchange.js';
import type { Depth, Level, Order } from '../ledger/records.js';
import { settle } from '../ledger/settlement.js';
import { isWithin, restOf, takeFrom, volumeOf } from './order-book.js';
import { trade } from './trade.js';

const limitOf = (order: Order): Amount => Amount.of(order.limitPrice ?? '0');

/** The open orders of a pair, best price first, then the oldest. */
function waiting(exchange: Exchange, pair: SandboxPair, now: Date): Order[] {
  const found: Order[] = [];
  for (const book of exchange.books.values()) {
    if (book.openOrders.size === 0) continue;
    settle(exchange, book.account, now);
    for (const id of book.openOrders) {
      const order = book.orders.get(id);
      if (order?.status === 'open' && order.pair === pair.id) found.push(order);
    }
  }
  const better = { buy: -1, sell: 1 };
  return found.sort(
    (left, right) =>
      better[left.side] - better[right.side] ||
      better[left.side] * limitOf(left).compare(limitOf(right)) ||
      left.openedAt - right.openedAt,
  );
}

/**
 * Moves the price of a pair. The move fills each open order whose limit price it reaches, at that limit price, and
 * removes the offers that it passes. Returns the ids of the filled orders.
 */
export function movePrice(exchange: Exchange, pair: SandboxPair, price: Amount, now: Date): string[] {
  const offers = exchange.depths.get(pair.id);
  const beyond = (side: Order['side']) => (level: Level) => !isWithin({ side, limit: price }, Amount.of(level.price));
  const left = offers && { bids: offers.bids.filter(beyond('sell')), asks: offers.asks.filter(beyond('buy')) };
  exchange.commit({
    price: { pair: pair.id, last: price.toString() },
    ...(left === undefined ? {} : { depth: { pair: pair.id, offers: left } }),
  });
  const reached = waiting(exchange, pair, now).filter((order) =>
    isWithin({ side: order.side, limit: limitOf(order) }, price),
  );
  for (const order of reached) {
    const lots = [{ price: limitOf(order), volume: restOf(order) }];
    trade(exchange, { order, lots, role: 'maker', rest: { kind: 'waits' }, now });
  }
  return reached.map(({ id }) => id);
}

/**
 * Sets the order book of a pair. New offers that match open orders trade with them first, at the limit prices of the
 * orders; the remaining offers stay. Returns the ids of the orders that traded.
 */
export function setDepth(exchange: Exchange, pair: SandboxPair, depth: Depth, now: Date): string[] {
  const left: Depth = { bids: depth.bids, asks: depth.asks };
  const orders = waiting(exchange, pair, now);
  exchange.commit({ depth: { pair: pair.id, offers: left } });
  const met = orders.filter((order) => {
    const name = order.side === 'buy' ? 'asks' : 'bids';
    const limit = limitOf(order);
    const { lots, rest } = takeFrom(left[name], { side: order.side, volume: restOf(order), limit });
    if (lots.length === 0) return false;
    left[name] = rest;
    trade(exchange, {
      order,
      lots: [{ price: limit, volume: volumeOf(lots) }],
      role: 'maker',
      rest: { kind: 'waits' },
      now,
      change: { depth: { pair: pair.id, offers: { ...left } } },
    });
    return true;
  });
  return met.map(({ id }) => id);
}
