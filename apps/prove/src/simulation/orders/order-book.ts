import type { OrderSide, OrderType } from '#exchange';
import { Amount } from '#money';

/** The states of an order at the exchange. */
export type BookedStatus = 'open' | 'filled' | 'canceled';

/** The terms of an order as its request states them. */
export interface OrderTerms {
  clientOrderId: string;
  pair: string;
  side: OrderSide;
  type: OrderType;
  volume: Amount;
  price: Amount | null;
}

/** The state of an order from one moment on. */
interface Change {
  at: number;
  status: BookedStatus;
  executed: Amount;
}

/** An order that the exchange has accepted. */
export interface BookedOrder extends OrderTerms {
  exchangeId: string;
  /** The account at the exchange. */
  account: string;
  /** The step of the run in which its request was sent. The copies of one request have the same value. */
  sentInStep: number;
  /** Milliseconds of virtual time. */
  bookedAt: number;
  changes: Change[];
}

/** The order as the exchange showed it at one moment. */
export interface ShownOrder {
  order: BookedOrder;
  status: BookedStatus;
  executed: Amount;
  /** When it ended; null = it is open. */
  endedAt: number | null;
}

/** All orders that the exchange has accepted. It is the source of truth. */
export class OrderBook {
  readonly orders: BookedOrder[] = [];

  add(order: Omit<BookedOrder, 'changes' | 'exchangeId'>): BookedOrder {
    const first: Change = { at: order.bookedAt, status: 'open', executed: Amount.zero };
    const booked: BookedOrder = { ...order, exchangeId: `O${this.orders.length + 1}`, changes: [first] };
    this.orders.push(booked);
    return booked;
  }

  /** Changes an open order. An order that has ended stays as it is. */
  change(order: BookedOrder, at: number, status: BookedStatus, executed: Amount): void {
    if (lastOf(order).status === 'open') order.changes.push({ at, status, executed });
  }

  ofClientId(account: string, clientOrderId: string): BookedOrder[] {
    return this.orders.filter((order) => order.account === account && order.clientOrderId === clientOrderId);
  }

  /** The orders of an account as of a moment, oldest first. */
  shownAt(account: string, moment: number): ShownOrder[] {
    return this.orders.filter((order) => order.account === account).flatMap((order) => shownAt(order, moment) ?? []);
  }
}

/** Returns the order as of a moment; null = the exchange had not accepted it yet. */
export function shownAt(order: BookedOrder, moment: number): ShownOrder | null {
  const change = order.changes.findLast(({ at }) => at <= moment);
  if (change === undefined) return null;
  const { status, executed, at } = change;
  return { order, status, executed, endedAt: status === 'open' ? null : at };
}

/** Returns the order as it really is. */
export function lastOf(order: BookedOrder): Change {
  const change = order.changes.at(-1);
  if (change === undefined) throw new Error(`the order ${order.exchangeId} has no state`);
  return change;
}
