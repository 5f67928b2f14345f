import { Injectable } from '@nestjs/common';
import { isUUID } from 'class-validator';
import type { ProjectContext } from '#access';
import { Config } from '#platform/config';
import { DatabaseClock, type DatabaseTime, LOCK_TIMEOUT, sqlRefusalOf } from '#platform/database';
import { Wallets, WalletSessions, type Wallet } from '#wallet';
import { OrderStore } from '../orders/order-store.js';
import { countsAsNone, isInDoubt, isSettled } from '../orders/order-state.js';
import type { Order } from '../orders/order.entity.js';
import { OrderNotFound } from '../orders/order.errors.js';
import { ReadOrder } from './read-order.js';
import { readTime } from '../orders/read-time.js';
import { TradingExchanges } from '../orders/trading-exchanges.js';

/** Returns an order: a final or recently read order from its row, any other order after a read at the exchange. */
@Injectable()
export class GetOrder {
  /** Concurrent calls for the same order share one read. */
  private readonly readings = new Map<string, Promise<Order>>();

  constructor(
    private readonly wallets: Wallets,
    private readonly sessions: WalletSessions,
    private readonly store: OrderStore,
    private readonly readOrder: ReadOrder,
    private readonly databaseClock: DatabaseClock,
    private readonly config: Config,
    private readonly tradingExchanges: TradingExchanges,
  ) {}

  /**
   * @throws WalletNotFound, TradingExchangeNotSupported, OrderNotFound, TradingProviderError (`host_clock_differs`),
   *   and the errors of `WalletSessions.use`
   */
  async execute(project: ProjectContext, externalWalletId: string, orderId: string): Promise<Order> {
    const wallet = await this.wallets.get(project, externalWalletId);
    this.tradingExchanges.require(wallet.exchange);
    if (!isUUID(orderId)) throw new OrderNotFound();
    const name = `${wallet.id} ${orderId}`;
    const reading = this.readings.get(name) ?? this.answer(wallet, orderId).finally(() => this.readings.delete(name));
    this.readings.set(name, reading);
    return reading;
  }

  private async answer(wallet: Wallet, orderId: string): Promise<Order> {
    const order = await this.store.findOf(wallet, orderId);
    if (order === null) throw new OrderNotFound();
    return isSettled(order) ? order : this.follow(wallet, order);
  }

  private async follow(wallet: Wallet, order: Order): Promise<Order> {
    const time = await readTime(this.databaseClock);
    return this.isFresh(order, time.now()) ? order : this.read(wallet, order, time);
  }

  private async read(wallet: Wallet, order: Order, time: DatabaseTime): Promise<Order> {
    try {
      return await this.sessions.use(wallet, { autoDelete: false, askedFor: 'trade' }, (session, version) =>
        this.readOrder.execute(session, version, order, time),
      );
    } catch (error) {
      // Another transaction has locked the row, so the result of the read could not be stored.
      if (sqlRefusalOf(error).code === LOCK_TIMEOUT) return order;
      // The order is settled. The search was only to find out whether the exchange has it all the same.
      if (countsAsNone(order.state)) return order;
      throw error;
    }
  }

  /**
   * Whether the stored order is recent enough to be returned without a call to the exchange. A search for an order
   * takes more calls than the read of an open order, so its result counts as recent for longer.
   */
  private isFresh({ state, readAt, searchedAt }: Order, now: Date): boolean {
    const { ORDER_CHECK_SECONDS, ORDER_FRESH_MS } = this.config.constants;
    return isInDoubt(state) || countsAsNone(state)
      ? isWithin(searchedAt, now, ORDER_CHECK_SECONDS * 1_000)
      : isWithin(readAt, now, ORDER_FRESH_MS);
  }
}

/**
 * Whether `moment` is less than `ms` from now. `moment` may be in the future, because a process with another clock may
 * have written it.
 */
function isWithin(moment: Date | null, now: Date, ms: number): boolean {
  return moment !== null && Math.abs(now.getTime() - moment.getTime()) < ms;
}
