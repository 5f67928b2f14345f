import { Inject, Injectable } from '@nestjs/common';
import { ExchangeError } from '#exchange';
import { DatabaseClock, type DatabaseTime } from '#platform/database';
import { DomainError, logFailedWork } from '#platform/errors';
import { LOGGER, type Logger } from '#platform/logging';
import { WalletNotFound, Wallets, WalletSessions } from '#wallet';
import { NextCheck } from '../orders/next-check.js';
import { OrderStore } from '../orders/order-store.js';
import { isInDoubt, isSettled } from '../orders/order-state.js';
import type { Order } from '../orders/order.entity.js';
import { ReadOrder } from './read-order.js';

/** Checks one order in the background: it settles an order in doubt and follows an open one. */
@Injectable()
export class SettleOrder {
  constructor(
    private readonly store: OrderStore,
    private readonly wallets: Wallets,
    private readonly sessions: WalletSessions,
    private readonly readOrder: ReadOrder,
    private readonly nextCheck: NextCheck,
    private readonly databaseClock: DatabaseClock,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** @throws HostClockDiffers in a worker whose clock is wrong; other workers check the order */
  async execute(orderId: string): Promise<void> {
    const order = await this.store.find(orderId);
    if (order === null || isSettled(order)) return;
    const time = await this.databaseClock.read();
    try {
      await this.look(order, time);
    } catch (error) {
      if (error instanceof WalletNotFound) return this.stopLooking(order);
      // An exchange that cannot be queried proves nothing, so the order is checked again later. It is also postponed
      // after an internal error; otherwise it would be due again after QUEUE_LEASE_MS, whatever its age.
      await this.store.reschedule(order, await this.nextCheck.after(order, time.now(), { isFailed: true }));
      if (!(error instanceof ExchangeError) && !(error instanceof DomainError)) throw error;
      const facts = { orderId: order.id, exchange: order.exchange };
      logFailedWork(this.logger, error, 'the exchange could not be queried about an order', facts);
    }
  }

  /**
   * Reads the order: an open order with the present credentials of the wallet, and any other order with the credentials
   * that sent it.
   */
  private async look(order: Order, time: DatabaseTime): Promise<void> {
    if (order.state !== 'open') {
      const { walletId, credentialVersion } = order;
      const session = await this.sessions.openVersion(walletId, credentialVersion);
      await this.readOrder.execute(session, credentialVersion, order, time);
      return;
    }
    // The wallet may have been deleted and connected again since the order was placed.
    const wallet = await this.wallets.find({ id: order.projectId }, order.externalWalletId);
    if (wallet === null || wallet.exchange !== order.exchange) throw new WalletNotFound();
    // Repeated calls with an invalid key would only make the exchange block our IP address.
    if (wallet.invalidApi) {
      await this.store.reschedule(order, await this.nextCheck.after(order, time.now(), { isFailed: true }));
      return;
    }
    const options = { autoDelete: false, keepSession: false, askedFor: 'trade' as const };
    await this.sessions.use(wallet, options, (session, version) =>
      this.readOrder.execute(session, version, order, time),
    );
  }

  private async stopLooking(order: Order): Promise<void> {
    if (isInDoubt(order.state)) {
      this.logger.error(
        { orderId: order.id },
        'the outcome of an order cannot be found out, because its credentials are erased',
      );
    }
    await this.store.reschedule(order, null);
  }
}
