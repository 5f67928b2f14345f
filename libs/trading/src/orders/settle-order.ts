import { Inject, Injectable } from '@nestjs/common';
import { ExchangeError } from '#exchange';
import { DomainError } from '#platform/errors';
import { LOGGER, type Logger } from '#platform/logging';
import { WalletNotFound, WalletSessions } from '#wallet';
import { OrderStore } from './order-store.js';
import { isFinal } from './order-state.js';
import type { Order } from './order.entity.js';
import { ReadOrder } from './read-order.js';

/** One look at an order in the background: finds out what became of one in doubt, and follows one that is open. */
@Injectable()
export class SettleOrder {
  constructor(
    private readonly store: OrderStore,
    private readonly sessions: WalletSessions,
    private readonly readOrder: ReadOrder,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  async execute(orderId: string): Promise<void> {
    const order = await this.store.find(orderId);
    if (order === null || isFinal(order.state)) return;
    try {
      await this.look(order);
    } catch (error) {
      if (error instanceof WalletNotFound) return this.stopLooking(order);
      if (!(error instanceof ExchangeError) && !(error instanceof DomainError)) throw error;
      // An exchange that cannot be asked proves nothing.
      this.logger.warn({ orderId, err: error }, 'the exchange could not be asked about an order');
      await this.store.lookAgain(order, this.readOrder.nextLook(order));
    }
  }

  /** An order in doubt has the credentials of its wallet kept; an open one is no longer ours to follow without them. */
  private async look(order: Order): Promise<void> {
    if (order.state === 'open') {
      const options = { autoDelete: false, keepSession: false, askedFor: 'trade' as const };
      await this.sessions.use({ id: order.walletId }, options, (session) => this.readOrder.execute(session, order));
    } else {
      await this.readOrder.execute(await this.sessions.openById(order.walletId), order);
    }
  }

  private async stopLooking(order: Order): Promise<void> {
    if (order.state !== 'open') {
      this.logger.error({ orderId: order.id }, 'nobody can find out any more what became of an order');
    }
    await this.store.lookAgain(order, null);
  }
}
