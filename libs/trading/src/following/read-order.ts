import { Inject, Injectable } from '@nestjs/common';
import { ExchangeError, type ExchangeOrder, type ExchangeSession, type TradingCapability } from '#exchange';
import { Config } from '#platform/config';
import type { DatabaseTime } from '#platform/database';
import { RepeatedLines } from '#platform/errors';
import { LOGGER, type Logger } from '#platform/logging';
import { NextCheck } from '../orders/next-check.js';
import { OrderTransitions } from '../orders/order-transitions.js';
import { OrderMetrics } from '../orders/order.metrics.js';
import { OrderStore } from '../orders/order-store.js';
import type { Order } from '../orders/order.entity.js';
import { tradingOf } from '../orders/trading-exchanges.js';

/** An exchange that does not show what it took is one cause, however many orders are looked at. */
const lines = new RepeatedLines();

/**
 * One look at an order at its exchange, and what follows from it. Safe to run twice and at once, from the worker and from
 * whoever reads the order; it never sends.
 */
@Injectable()
export class ReadOrder {
  constructor(
    private readonly store: OrderStore,
    private readonly transitions: OrderTransitions,
    private readonly metrics: OrderMetrics,
    private readonly nextCheck: NextCheck,
    private readonly config: Config,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * @param credentialVersion of the session.
   * @returns the order as it stands then.
   * @throws ExchangeError when the exchange cannot be asked; TradingExchangeNotSupported.
   */
  async execute(session: ExchangeSession, credentialVersion: string, order: Order, time: DatabaseTime): Promise<Order> {
    const trading = tradingOf(session);
    switch (order.state) {
      case 'placing':
        return this.giveUpLease(trading, credentialVersion, order, time);
      case 'unknown':
        return this.seek(trading, credentialVersion, order, time);
      case 'open':
        return this.follow(trading, order, time);
      default:
        return order;
    }
  }

  /** Whoever was sending is gone or too slow. It may have been sent: from here on only the exchange can tell. */
  private async giveUpLease(
    trading: TradingCapability,
    version: string,
    order: Order,
    time: DatabaseTime,
  ): Promise<Order> {
    if (order.leaseUntil > time.now()) {
      await this.store.reschedule(order, order.leaseUntil);
      return order;
    }
    const given = await this.transitions.unknown(order, { reason: 'lease expired' }, time.now());
    return given === null ? this.current(order) : this.seek(trading, version, given, time);
  }

  private async seek(trading: TradingCapability, version: string, order: Order, time: DatabaseTime): Promise<Order> {
    const askedAt = time.now();
    const notBefore = new Date(order.createdAt.getTime() - this.settleMs);
    const provableFrom = this.provableFrom(order, version);
    const isProofNeeded = provableFrom !== null && askedAt >= provableFrom;
    const seen = await trading.find({ clientOrderId: order.clientOrderId, notBefore, isProofNeeded });
    if (seen === null) return this.weighAbsence(order, provableFrom, askedAt, time);
    return this.transitions.read(
      order,
      seen,
      askedAt,
      await this.nextCheck.after({ ...order, state: 'open' }, time.now()),
    );
  }

  /**
   * Absence counts only once the exchange can no longer make the order, and only while the account is certainly the same.
   * Without a fence it never counts (null).
   */
  private provableFrom({ submissionDeadline, credentialVersion }: Order, version: string): Date | null {
    if (submissionDeadline === null || version !== credentialVersion) return null;
    return new Date(submissionDeadline.getTime() + this.settleMs);
  }

  /** It has to be seen often enough, too. */
  private async weighAbsence(
    order: Order,
    provableFrom: Date | null,
    askedAt: Date,
    time: DatabaseTime,
  ): Promise<Order> {
    const { ORDER_CHECK_SECONDS, ORDER_SETTLE_LOOKS } = this.config.values;
    const next = await this.nextCheck.after(order, time.now());
    if (provableFrom === null) {
      await this.store.reschedule(order, next, askedAt);
      return order;
    }
    if (askedAt < provableFrom) {
      await this.store.reschedule(order, provableFrom < next ? provableFrom : next, askedAt);
      return order;
    }
    const gapMs = ORDER_CHECK_SECONDS * 1_000;
    const looks = await this.transitions.absent(order, askedAt, gapMs);
    if (looks < ORDER_SETTLE_LOOKS) {
      await this.store.reschedule(order, new Date(askedAt.getTime() + gapMs), askedAt);
      return this.current(order);
    }
    const settled = await this.transitions.notPlaced(order);
    if (settled === null) return this.current(order);
    this.metrics.ended(order.exchange, 'not_placed');
    this.logger.warn({ orderId: order.id }, 'an order in doubt was never made');
    return settled;
  }

  private async follow(trading: TradingCapability, order: Order, time: DatabaseTime): Promise<Order> {
    const askedAt = time.now();
    let seen: ExchangeOrder;
    try {
      seen = await trading.read(order.exchangeIds[0] ?? '');
    } catch (error) {
      if (!isUnknownOrder(error)) throw error;
      // It has taken it: not shown yet, or the credentials are those of another account by now. That is no end of it.
      const again = lines.count(order.exchange);
      const facts = { orderId: order.id, exchange: order.exchange, again };
      if (again !== null) this.logger.warn(facts, 'the exchange does not show an order that it took');
      await this.store.reschedule(order, await this.nextCheck.after(order, time.now()));
      return order;
    }
    return this.transitions.read(order, seen, askedAt, await this.nextCheck.after(order, time.now()));
  }

  private async current(order: Order): Promise<Order> {
    return (await this.store.find(order.id)) ?? order;
  }

  private get settleMs(): number {
    return this.config.values.ORDER_SETTLE_SECONDS * 1_000;
  }
}

function isUnknownOrder(error: unknown): boolean {
  return error instanceof ExchangeError && error.kind === 'refused' && error.code === 'TRADING_ORDER_NOT_FOUND';
}
