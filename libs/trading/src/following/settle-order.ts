import { Inject, Injectable } from '@nestjs/common';
import { ExchangeError } from '#exchange';
import { DatabaseClock, type DatabaseTime } from '#platform/database';
import { DomainError, logFailedWork } from '#platform/errors';
import { LOGGER, type Logger } from '#platform/logging';
import { WalletNotFound, Wallets, WalletSessions } from '#wallet';
import { NextCheck } from '../orders/next-check.js';
import { OrderStore } from '../orders/order-store.js';
import { isFinal } from '../orders/order-state.js';
import type { Order } from '../orders/order.entity.js';
import { ReadOrder } from './read-order.js';

/** One look at an order in the background: finds out what became of one in doubt, and follows one that is open. */
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

  /** @throws HostClockDiffers: a worker whose clock is wrong leaves the order to the others. */
  async execute(orderId: string): Promise<void> {
    const order = await this.store.find(orderId);
    if (order === null || isFinal(order.state)) return;
    const time = await this.databaseClock.read();
    try {
      await this.look(order, time);
    } catch (error) {
      if (error instanceof WalletNotFound) return this.stopLooking(order);
      // An exchange that cannot be asked proves nothing; a fault of ours must not come back as soon as the lease is over.
      await this.store.reschedule(order, await this.nextCheck.after(order, time.now(), true));
      if (!(error instanceof ExchangeError) && !(error instanceof DomainError)) throw error;
      const facts = { orderId: order.id, exchange: order.exchange };
      logFailedWork(this.logger, error, 'the exchange could not be asked about an order', facts);
    }
  }

  /**
   * An order in doubt has the credentials of its wallet kept; an open one is no longer ours to follow without them.
   */
  private async look(order: Order, time: DatabaseTime): Promise<void> {
    if (order.state !== 'open') {
      const { walletId, credentialVersion } = order;
      const session = await this.sessions.openVersion(walletId, credentialVersion);
      await this.readOrder.execute(session, credentialVersion, order, time);
      return;
    }
    // It may have been deleted and connected again meanwhile.
    const wallet = await this.wallets.find({ id: order.projectId }, order.externalWalletId);
    if (wallet === null || wallet.exchange !== order.exchange) throw new WalletNotFound();
    // Calls with a key that is known to be invalid would only have our address shut out.
    if (wallet.invalidApi) {
      await this.store.reschedule(order, await this.nextCheck.after(order, time.now(), true));
      return;
    }
    const options = { autoDelete: false, keepSession: false, askedFor: 'trade' as const };
    await this.sessions.use(wallet, options, (session, version) =>
      this.readOrder.execute(session, version, order, time),
    );
  }

  private async stopLooking(order: Order): Promise<void> {
    if (order.state !== 'open') {
      this.logger.error({ orderId: order.id }, 'nobody can find out any more what became of an order');
    }
    await this.store.reschedule(order, null);
  }
}
