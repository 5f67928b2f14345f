import { Inject, Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { ExchangeError } from '#exchange';
import { DatabaseClock, type DatabaseTime } from '#platform/database';
import { DomainError } from '#platform/errors';
import { LOGGER, type Logger } from '#platform/logging';
import { WalletNotFound, Wallets, WalletSessions } from '#wallet';
import { NextLook } from './next-look.js';
import { OrderStore } from './order-store.js';
import { isFinal } from './order-state.js';
import type { Order } from './order.entity.js';
import { ReadOrder } from './read-order.js';

/** Exchanges and wallets whose failure one process remembers to have told. */
const TOLD_MAX = 10_000;

/** One look at an order in the background: finds out what became of one in doubt, and follows one that is open. */
@Injectable()
export class SettleOrder {
  private readonly told = new LRUCache<string, true>({ max: TOLD_MAX });

  constructor(
    private readonly store: OrderStore,
    private readonly wallets: Wallets,
    private readonly sessions: WalletSessions,
    private readonly readOrder: ReadOrder,
    private readonly nextLook: NextLook,
    private readonly databaseClock: DatabaseClock,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** @throws HostClockDiffers: a worker whose clock is wrong leaves the order to the others. */
  async execute(orderId: string): Promise<void> {
    const order = await this.store.find(orderId);
    if (order === null || isFinal(order.state)) return;
    const time = await this.databaseClock.read();
    try {
      if (await this.look(order, time))
        for (const subject of [order.exchange, order.walletId]) this.told.delete(subject);
    } catch (error) {
      if (error instanceof WalletNotFound) return this.stopLooking(order);
      // An exchange that cannot be asked proves nothing; a fault of ours must not come back as soon as the lease is over.
      await this.store.lookAgain(order, await this.nextLook.after(order, time.now(), true));
      if (!(error instanceof ExchangeError) && !(error instanceof DomainError)) throw error;
      this.tell(order, error);
    }
  }

  /**
   * An order in doubt has the credentials of its wallet kept; an open one is no longer ours to follow without them.
   * @returns whether the exchange was asked.
   */
  private async look(order: Order, time: DatabaseTime): Promise<boolean> {
    if (order.state !== 'open') {
      const { walletId, credentialVersion } = order;
      const session = await this.sessions.openVersion(walletId, credentialVersion);
      await this.readOrder.execute(session, credentialVersion, order, time);
      return true;
    }
    // It may have been deleted and connected again meanwhile.
    const wallet = await this.wallets.find({ id: order.projectId }, order.walletRef);
    if (wallet === null || wallet.exchange !== order.exchange) throw new WalletNotFound();
    // Calls with a key that is known to be invalid would only have our address shut out.
    if (wallet.invalidApi) {
      await this.store.lookAgain(order, await this.nextLook.after(order, time.now(), true));
      return false;
    }
    const options = { autoDelete: false, keepSession: false, askedFor: 'trade' as const };
    await this.sessions.use(wallet, options, (session, version) =>
      this.readOrder.execute(session, version, order, time),
    );
    return true;
  }

  /** One line for an outage, however many orders wait for its end. */
  private tell({ id: orderId, exchange, walletId }: Order, error: Error): void {
    const subject = isOutage(error) ? exchange : walletId;
    const level = this.told.has(subject) ? 'debug' : 'warn';
    this.told.set(subject, true);
    this.logger[level]({ orderId, exchange, err: error }, 'the exchange could not be asked about an order');
  }

  private async stopLooking(order: Order): Promise<void> {
    if (order.state !== 'open') {
      this.logger.error({ orderId: order.id }, 'nobody can find out any more what became of an order');
    }
    await this.store.lookAgain(order, null);
  }
}

function isOutage(error: Error): boolean {
  const { cause = error } = error;
  return cause instanceof ExchangeError && cause.kind === 'unavailable';
}
