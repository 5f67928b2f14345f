import { Injectable } from '@nestjs/common';
import { validate } from 'uuid';
import type { ProjectContext } from '#access';
import { Clock } from '#platform/clock';
import { Config } from '#platform/config';
import { Wallets, WalletSessions } from '#wallet';
import { OrderStore } from './order-store.js';
import { isFinal } from './order-state.js';
import type { Order } from './order.entity.js';
import { OrderNotFound } from './order.errors.js';
import { ReadOrder } from './read-order.js';
import { requireTrading } from './trading-exchanges.js';

/** An order as it stands: one that is final from its row, every other one from its exchange. */
@Injectable()
export class GetOrder {
  constructor(
    private readonly wallets: Wallets,
    private readonly sessions: WalletSessions,
    private readonly store: OrderStore,
    private readonly readOrder: ReadOrder,
    private readonly clock: Clock,
    private readonly config: Config,
  ) {}

  /** @throws WalletNotFound, TradingExchangeNotSupported, OrderNotFound; what `WalletSessions.use` throws. */
  async execute(project: ProjectContext, walletId: string, orderId: string): Promise<Order> {
    const wallet = await this.wallets.get(project, walletId);
    requireTrading(this.config, wallet.exchange);
    const order = validate(orderId) ? await this.store.findOf(wallet, orderId) : null;
    if (order === null) throw new OrderNotFound();
    if (isFinal(order.state) || this.isFresh(order)) return order;
    return this.sessions.use(wallet, { autoDelete: false, askedFor: 'trade' }, (session) =>
      this.readOrder.execute(session, order),
    );
  }

  private isFresh({ readAt }: Order): boolean {
    return readAt !== null && this.clock.now().getTime() - readAt.getTime() < this.config.values.ORDER_FRESH_MS;
  }
}
