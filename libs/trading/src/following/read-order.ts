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
import { nextComparison, provableFrom, sentAfter } from '../orders/order-times.js';
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
      case 'refused':
      case 'not_placed':
        return this.compare(trading, order, time);
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
    // Other credentials may belong to another account, in which absence proves nothing.
    const isSameAccount = version === order.credentialVersion;
    const provable = isSameAccount ? provableFrom(order, trading.signedForMs, this.config) : null;
    const isProofNeeded = provable !== null && askedAt >= provable;
    const { clientOrderId, request } = order;
    const sought = { clientOrderId, request, notBefore: sentAfter(order, this.config), isProofNeeded };
    const seen = await trading.find(sought).catch(tooOld);
    if (seen === 'too old') return this.weighAbsence(order, null, askedAt, time);
    if (seen === null) return this.weighAbsence(order, provable, askedAt, time);
    return this.transitions.read(
      order,
      seen,
      askedAt,
      await this.nextCheck.after({ ...order, state: 'open' }, time.now()),
    );
  }

  /** Searches for an order that was reported as refused or never placed. `read` corrects the order when it is found. */
  private async compare(trading: TradingCapability, order: Order, time: DatabaseTime): Promise<Order> {
    const askedAt = time.now();
    const { clientOrderId, request } = order;
    const notBefore = sentAfter(order, this.config);
    const seen = await trading.find({ clientOrderId, request, notBefore, isProofNeeded: false });
    if (seen === null) {
      await this.store.reschedule(order, nextComparison(order, askedAt, this.config), askedAt);
      return order;
    }
    return this.transitions.read(
      order,
      seen,
      askedAt,
      await this.nextCheck.after({ ...order, state: 'open' }, askedAt),
    );
  }

  /**
   * Counts a search without the order, and settles the order after enough such searches.
   * @param provable null = absence is no proof, so the order stays unknown until it is found or an operator settles it
   */
  private async weighAbsence(order: Order, provable: Date | null, askedAt: Date, time: DatabaseTime): Promise<Order> {
    const { ORDER_ABSENCE_SECONDS, ORDER_CHECK_SECONDS, ORDER_CLEAN_SEARCHES } = this.config.constants;
    const next = await this.nextCheck.after(order, time.now());
    if (provable === null) {
      await this.store.reschedule(order, next, askedAt);
      return order;
    }
    if (askedAt < provable) {
      await this.store.reschedule(order, provable < next ? provable : next, askedAt);
      return order;
    }
    // A deadline ends what the exchange may do. The end of a signature only ends what it may accept.
    const gapMs = (order.submissionDeadline === null ? ORDER_ABSENCE_SECONDS : ORDER_CHECK_SECONDS) * 1_000;
    const searches = await this.transitions.absent(order, askedAt, gapMs);
    if (searches < ORDER_CLEAN_SEARCHES) {
      await this.store.reschedule(order, new Date(askedAt.getTime() + gapMs), askedAt);
      return this.current(order);
    }
    const settled = await this.transitions.notPlaced(order, nextComparison(order, time.now(), this.config));
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
    const taken = { exchangeId, request: order.request, notBefore: sentAfter(order, this.config) };
    const { own, isOthers, isTooOld } = await this.readOwn(trading, order, taken);
    const nextCheckAt = await this.nextCheck.after(order, time.now());
    if (own !== null) return this.transitions.read(order, own, askedAt, nextCheckAt);
    logRepeated(this.logger, 'warn', {
      message: 'the exchange does not show an order that it has accepted',
      cause: order.exchange,
      facts: { orderId: order.id, exchange: order.exchange },
    });
    // Other credentials may belong to another account, which does not show what has become of the order.
    if (version !== order.credentialVersion)
      return this.transitions.notShown(order, 'not_visible', { askedAt, nextCheckAt });
    // The trades of another order prove nothing about this one.
    const fate = isOthers ? 'may_be_late' : await trading.judgeMissing({ ...taken, seenAt: this.seenAt(order) });
    // The exchange has never shown an order with the id, so that the id may be wrong, and the order executed.
    const isUnproven = isTooOld && !isShown(order);
    return this.weighEnd(order, fate === 'not_executed' && isUnproven ? 'ended' : fate, { askedAt, nextCheckAt });
  }

  /**
   * Reads an accepted order by the id that the exchange gave it. If the exchange has no order with this id, or an order
   * of another request, the id may be wrong; then our client order id decides.
   */
  private async readOwn(
    trading: TradingCapability,
    { id: orderId, exchange, clientOrderId }: Order,
    taken: Parameters<TradingCapability['read']>[0],
  ): Promise<{ own: ExchangeOrder | null; isOthers: boolean; isTooOld: boolean }> {
    const seen = await trading.read(taken).catch(nullIfUnknown);
    if (seen !== null && (seen.clientOrderId ?? clientOrderId) === clientOrderId)
      return { own: seen, isOthers: false, isTooOld: false };
    const { request, notBefore, exchangeId } = taken;
    const found = await trading.find({ clientOrderId, request, notBefore, isProofNeeded: true }).catch(tooOld);
    const own = found === 'too old' ? null : found;
    if (own !== null || seen !== null) {
      logRepeated(this.logger, 'error', {
        message: 'the id that the exchange gave an order is not the id of this order',
        cause: exchange,
        facts: { orderId, exchangeId, found: own?.exchangeId ?? null },
      });
    }
    return { own, isOthers: seen !== null, isTooOld: found === 'too old' };
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
    return isShown(order) ? order.readAt : sentAfter(order, this.config);
  }

  private async current(order: Order): Promise<Order> {
    return (await this.store.find(order.id)) ?? order;
  }

  private get settleMs(): number {
    return this.config.constants.ORDER_SETTLE_SECONDS * 1_000;
  }
}

/** Whether the last read has found the order at its exchange. */
function isShown(order: Order): order is Order & { readAt: Date } {
  const { readAt, rawStatus } = order;
  return readAt !== null && rawStatus !== 'not_visible' && rawStatus !== 'not_listed';
}

/** Returns 'too old' when a search proves nothing because of the order's age. @throws every other error */
function tooOld(error: unknown): 'too old' {
  if (error instanceof OrderTooOld) return 'too old';
  throw error;
}

/** Returns null when the exchange has no order with the id. @throws every other error */
function nullIfUnknown(error: unknown): null {
  if (error instanceof ExchangeError && error.kind === 'refused' && error.code === 'TRADING_ORDER_NOT_FOUND')
    return null;
  throw error;
}
