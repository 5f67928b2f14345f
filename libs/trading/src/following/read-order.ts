import { Inject, Injectable } from '@nestjs/common';
import {
  ExchangeError,
  OrderTooOld,
  type ExchangeOrder,
  type ExchangeSession,
  type MissingOrderFate,
  type TradingCapability,
} from '#exchange';
import { Config } from '#platform/config';
import type { DatabaseTime } from '#platform/database';
import { LOGGER, logRepeated, type Logger } from '#platform/logging';
import { NextCheck } from '../orders/next-check.js';
import { OrderTransitions } from '../orders/order-transitions.js';
import { OrderMetrics } from '../orders/order.metrics.js';
import { OrderStore } from '../orders/order-store.js';
import type { Order } from '../orders/order.entity.js';
import { tradingOf } from '../orders/trading-exchanges.js';

/**
 * Reads one order at its exchange and applies the result. It may run twice or concurrently, in the worker and for a
 * caller. It never sends an order.
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
   * @param credentialVersion version of the session's credentials
   * @returns the order after the read
   * @throws ExchangeError when the exchange could not be queried
   * @throws TradingExchangeNotSupported
   */
  async execute(session: ExchangeSession, credentialVersion: string, order: Order, time: DatabaseTime): Promise<Order> {
    const trading = tradingOf(session);
    switch (order.state) {
      case 'placing':
        return this.giveUpLease(trading, credentialVersion, order, time);
      case 'unknown':
        return this.seek(trading, credentialVersion, order, time);
      case 'open':
        return this.follow(trading, credentialVersion, order, time);
      default:
        return order;
    }
  }

  /**
   * Ends the lease of a call whose process has died or is too slow. The order may have been sent, so only the exchange
   * can settle it.
   */
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
    const provableFrom = this.provableFrom(order, version);
    const isProofNeeded = provableFrom !== null && askedAt >= provableFrom;
    const { clientOrderId, request } = order;
    const sought = { clientOrderId, request, notBefore: this.sentAfter(order), isProofNeeded };
    const seen = await trading.find(sought).catch(tooOld);
    if (seen === 'too old') return this.weighAbsence(order, null, askedAt, time);
    if (seen === null) return this.weighAbsence(order, provableFrom, askedAt, time);
    return this.transitions.read(
      order,
      seen,
      askedAt,
      await this.nextCheck.after({ ...order, state: 'open' }, time.now()),
    );
  }

  /**
   * Returns the time from which absence is proof, because the exchange can no longer accept the order then.
   * @returns null when absence is never proof: without a submission deadline, or with other credentials than those that
   *   sent the order
   */
  private provableFrom({ submissionDeadline, credentialVersion }: Order, version: string): Date | null {
    if (submissionDeadline === null || version !== credentialVersion) return null;
    return new Date(submissionDeadline.getTime() + this.settleMs);
  }

  /**
   * Counts a listing without the order, and settles the order after enough such listings.
   * @param provableFrom null = absence is no proof, so the order stays unknown until it is found
   */
  private async weighAbsence(
    order: Order,
    provableFrom: Date | null,
    askedAt: Date,
    time: DatabaseTime,
  ): Promise<Order> {
    const { ORDER_CHECK_SECONDS, ORDER_CLEAN_SEARCHES } = this.config.constants;
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
    const searches = await this.transitions.absent(order, askedAt, gapMs);
    if (searches < ORDER_CLEAN_SEARCHES) {
      await this.store.reschedule(order, new Date(askedAt.getTime() + gapMs), askedAt);
      return this.current(order);
    }
    const settled = await this.transitions.notPlaced(order);
    if (settled === null) return this.current(order);
    this.metrics.ended(order.exchange, 'not_placed');
    this.logger.warn(
      { orderId: order.id },
      'an order with an unknown outcome counts as not placed, because its exchange does not have it',
    );
    return settled;
  }

  private async follow(trading: TradingCapability, version: string, order: Order, time: DatabaseTime): Promise<Order> {
    const askedAt = time.now();
    const [exchangeId = ''] = order.exchangeIds;
    const taken = { exchangeId, request: order.request, notBefore: this.sentAfter(order) };
    let seen: ExchangeOrder;
    try {
      seen = await trading.read(taken);
    } catch (error) {
      if (!isUnknownOrder(error)) throw error;
      logRepeated(this.logger, 'warn', {
        message: 'the exchange does not show an order that it has accepted',
        cause: order.exchange,
        facts: { orderId: order.id, exchange: order.exchange },
      });
      const nextCheckAt = await this.nextCheck.after(order, time.now());
      // Other credentials may belong to another account, which does not show what has become of the order.
      if (version !== order.credentialVersion)
        return this.transitions.notShown(order, 'not_visible', { askedAt, nextCheckAt });
      const fate = await trading.judgeMissing({ ...taken, seenAt: this.seenAt(order) });
      return this.weighEnd(order, fate, { askedAt, nextCheckAt });
    }
    return this.transitions.read(order, seen, askedAt, await this.nextCheck.after(order, time.now()));
  }

  /**
   * Counts a read that did not find an open order, and records its end after enough such reads. It is `canceled` only
   * when it was certainly not executed; otherwise its status is unknown from then on.
   */
  private async weighEnd(
    order: Order,
    fate: MissingOrderFate,
    { askedAt, nextCheckAt }: { askedAt: Date; nextCheckAt: Date },
  ): Promise<Order> {
    const { ORDER_CLEAN_SEARCHES, ORDER_UNLISTED_CHECK_SECONDS } = this.config.constants;
    const reads = fate === 'may_be_late' ? 0 : await this.transitions.absent(order, askedAt, this.settleMs);
    if (reads < ORDER_CLEAN_SEARCHES) {
      await this.store.reschedule(order, nextCheckAt);
      return order;
    }
    const current = await this.current(order);
    if (fate === 'not_executed' && current.executedVolume.isZero()) {
      const ended = await this.transitions.endedUnexecuted(current);
      if (ended === null) return this.current(order);
      this.logger.warn(
        { orderId: order.id },
        'an open order counts as canceled, because its exchange lists neither the order nor an execution any more',
      );
      return ended;
    }
    const laterAt = new Date(askedAt.getTime() + ORDER_UNLISTED_CHECK_SECONDS * 1_000);
    return this.transitions.notShown(current, 'not_listed', { askedAt, nextCheckAt: laterAt });
  }

  /** When the exchange last showed the open order, or a moment before it was sent. */
  private seenAt(order: Order): Date {
    const { readAt, rawStatus } = order;
    const isShown = readAt !== null && rawStatus !== 'not_visible' && rawStatus !== 'not_listed';
    return isShown ? readAt : this.sentAfter(order);
  }

  private async current(order: Order): Promise<Order> {
    return (await this.store.find(order.id)) ?? order;
  }

  /** A moment before the order was sent, by the exchange's clock. */
  private sentAfter({ createdAt }: Order): Date {
    return new Date(createdAt.getTime() - this.settleMs);
  }

  private get settleMs(): number {
    return this.config.values.ORDER_SETTLE_SECONDS * 1_000;
  }
}

/** Returns 'too old' when a search proves nothing because of the order's age. @throws every other error */
function tooOld(error: unknown): 'too old' {
  if (error instanceof OrderTooOld) return 'too old';
  throw error;
}

function isUnknownOrder(error: unknown): boolean {
  return error instanceof ExchangeError && error.kind === 'refused' && error.code === 'TRADING_ORDER_NOT_FOUND';
}
