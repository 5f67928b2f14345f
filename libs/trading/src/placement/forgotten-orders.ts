import { Inject, Injectable } from '@nestjs/common';
import { ExchangeError, type ExchangeOrder, type TradingCapability } from '#exchange';
import { Config } from '#platform/config';
import type { DatabaseTime } from '#platform/database';
import { LOGGER, type Logger } from '#platform/logging';
import { periodOf } from '../orders/order-name.js';
import { OrderStore } from '../orders/order-store.js';
import { OrderTransitions } from '../orders/order-transitions.js';
import { forgottenRefusal, notSentRefusal } from '../orders/order-refusal.js';
import type { Order } from '../orders/order.entity.js';
import { OrderKeyReused, OrderRefused, type Refusal } from '../orders/order.errors.js';

const SECOND_MS = 1_000;

/**
 * Finds orders that the exchange may have although no row shows them, because a restore of the database or the
 * promotion of its standby has lost the rows. The client order id is derived from the `Idempotency-Key`, so the
 * exchange can be queried before anything is sent.
 */
@Injectable()
export class ForgottenOrders {
  constructor(
    private readonly store: OrderStore,
    private readonly transitions: OrderTransitions,
    private readonly config: Config,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * @param order the order that is about to be sent
   * @returns the order when it was placed before; null when it may be sent
   * @throws OrderRefused, ExchangeError: nothing is sent, because an earlier order may exist
   * @throws OrderKeyReused when the key named another order
   */
  async find(trading: TradingCapability, order: Order, time: DatabaseTime): Promise<Order | null> {
    if (order.idempotencyKey === null) return null;
    const askedAt = time.now();
    const ago = (seconds: number): Date => new Date(askedAt.getTime() - seconds * SECOND_MS);
    const notBefore = ago(this.config.values.IDEMPOTENCY_TTL_SECONDS);
    const { isRecent, isTooRecent } = await this.store.restoredSince(
      notBefore,
      ago(this.unprovenForMs(trading, order) / SECOND_MS),
    );
    if (!isRecent) return null;
    // In an earlier period the key had another client order id, for which this search does not look.
    const isSameName = periodOf(notBefore) === periodOf(order.createdAt);
    const isProofNeeded = !isTooRecent && isSameName;
    const refusal = forgottenRefusal();
    const seen = await this.search(trading, order, { notBefore, isProofNeeded }, refusal);
    if (seen !== null) {
      if (!isSame(seen, order, notBefore)) throw await this.anothers(seen, order);
      return this.transitions.read(order, seen, askedAt, ago(-this.config.constants.ORDER_CHECK_SECONDS));
    }
    if (isProofNeeded) return null;
    await this.transitions.notSent(order, refusal);
    throw new OrderRefused(refusal);
  }

  /**
   * Explains why a request ended before `find`. After a restore, an earlier order of its key may exist all the same.
   * @param error why the exchange could not be searched
   * @returns the error of the response
   */
  async explain(error: unknown, idempotencyKey: string | null, time: DatabaseTime): Promise<unknown> {
    const isExplained = error instanceof ExchangeError && error.kind !== 'credentials_invalid';
    if (idempotencyKey === null || !isExplained) return error;
    const keptSince = new Date(time.now().getTime() - this.config.values.IDEMPOTENCY_TTL_SECONDS * SECOND_MS);
    const { isRecent } = await this.store.restoredSince(keptSince, keptSince);
    return isRecent ? new OrderRefused(forgottenRefusal(), error) : error;
  }

  /** For how long after a restore no search proves that the exchange has no order from before the restore. */
  private unprovenForMs({ signedForMs }: TradingCapability, { submissionDeadline }: Order): number {
    const { ORDER_DEADLINE_SECONDS, ORDER_SETTLE_SECONDS } = this.config.constants;
    const { ORDER_ABSENCE_SECONDS } = this.config.constants;
    // The exchange may accept the order until its submission deadline, or until its signature expires. A deadline ends
    // what the exchange may do. The end of a signature only ends what it may accept: it may carry the order out late.
    const acceptedForMs = Math.max(ORDER_DEADLINE_SECONDS * SECOND_MS, signedForMs ?? 0);
    const lateForMs = submissionDeadline === null ? ORDER_ABSENCE_SECONDS * SECOND_MS : 0;
    return acceptedForMs + lateForMs + ORDER_SETTLE_SECONDS * SECOND_MS;
  }

  private async anothers({ exchangeId }: ExchangeOrder, order: Order): Promise<OrderKeyReused> {
    this.logger.error(
      { orderId: order.id, exchangeId },
      'the exchange has an order with other terms under this Idempotency-Key, and the database does not contain that order',
    );
    await this.transitions.notSent(order, notSentRefusal());
    return new OrderKeyReused(null);
  }

  private async search(
    trading: TradingCapability,
    order: Order,
    how: { notBefore: Date; isProofNeeded: boolean },
    refusal: Refusal,
  ): Promise<ExchangeOrder | null> {
    try {
      return await trading.find({ clientOrderId: order.clientOrderId, request: order.request, ...how });
    } catch (error) {
      // One refusal does not prove that the key is invalid. The thrown error makes `JudgeRefusal` test the key by a
      // second signed call, and flag the wallet if the exchange refuses that call, too.
      const isKeyRefused = error instanceof ExchangeError && error.kind === 'credentials_invalid';
      await this.transitions.notSent(order, refusal);
      throw isKeyRefused ? error : new OrderRefused(refusal, error);
    }
  }
}

/**
 * Whether the found order is the requested one. It is not when the `Idempotency-Key` was used for a different order, or
 * so long ago that it has expired (`notBefore`).
 */
function isSame(found: ExchangeOrder, order: Order, notBefore: Date): boolean {
  const { volume, limitPrice, description, openedAt } = found;
  const { side, type, price } = order;
  return (
    volume.equals(order.volume) &&
    (price === null || limitPrice === null || limitPrice.equals(price)) &&
    `${description.side} ${description.type}`.toLowerCase() === `${side} ${type}` &&
    (openedAt === null || openedAt >= notBefore)
  );
}
