import { Injectable } from '@nestjs/common';
import { OrderNotFound } from '../orders/order.errors.js';
import { OrderStore } from '../orders/order-store.js';
import type { Order } from '../orders/order.entity.js';
import { OrderAtExchange, type OrderAnswer } from './order-at-exchange.js';

/** Everything that is known about one order. */
export interface ShownOrder {
  order: Order;
  atExchange: OrderAnswer;
}

@Injectable()
export class ShowOrder {
  constructor(
    private readonly store: OrderStore,
    private readonly exchange: OrderAtExchange,
  ) {}

  /** @throws OrderNotFound */
  async execute(id: string): Promise<ShownOrder> {
    const order = await this.store.find(id);
    if (order === null) throw new OrderNotFound();
    return { order, atExchange: await this.exchange.ask(order) };
  }
}
