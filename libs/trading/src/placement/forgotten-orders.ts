import { Inject, Injectable } from '@nestjs/common';
import { ExchangeError, type ExchangeOrder, type TradingCapability } from '#exchange';
import { Config } from '#platform/config';
import { Database, type DatabaseTime } from '#platform/database';
import { LOGGER, type Logger } from '#platform/logging';
import { OrderTransitions } from '../orders/order-transitions.js';
import { forgottenRefusal, notSentRefusal } from '../orders/order-refusal.js';
import type { Order } from '../orders/order.entity.js';
import { OrderKeyReused, OrderRefused, type Refusal } from '../orders/order.errors.js';

const SECOND_MS = 1_000;

/**
 * Finds orders that the exchange may have although no row shows them. A restore of the database or the promotion of its
 * standby loses rows. The row of an earlier request with the same `Idempotency-Key` may be wrong if the exchange
 * refused the API key: exchanges refuse valid API keys during outages, and a copy of that request may have been
 * executed. The client order id is derived from the `Idempotency-Key`, so the exchange can be queried before anything
 * is sent.
 */
@Injectable()
export class ForgottenOrders {
  constructor(
    private readonly db: Database,
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
    const { IDEMPOTENCY_TTL_SECONDS, ORDER_DEADLINE_SECONDS, ORDER_SETTLE_SECONDS } = this.config.values;
    const askedAt = time.now();
    const ago = (seconds: number): Date => new Date(askedAt.getTime() - seconds * SECOND_MS);
    const notBefore = ago(IDEMPOTENCY_TTL_SECONDS);
    // The exchange may still accept an order that was sent before a restore, until the order's submission deadline.
    // Until then no search proves its absence. `database_restored_at()` is `infinity` until the restore is detected.
    const [restored] = await this.db.query<{ isRecent: boolean; isTooRecent: boolean }>(
      `select r.at > $1 as "isRecent", r.at > $2 as "isTooRecent" from database_restored_at() r(at)`,
      [notBefore, ago(ORDER_DEADLINE_SECONDS + ORDER_SETTLE_SECONDS)],
    );
    const isRestored = restored?.isRecent !== false;
    const sentAfter = isRestored ? notBefore : await this.keyRefusedSince(order, notBefore);
    if (sentAfter === null) return null;
    const isProofNeeded = restored?.isTooRecent === false;
    const refusal = isRestored ? forgottenRefusal() : notSentRefusal();
    const seen = await this.search(trading, order, { notBefore: sentAfter, isProofNeeded }, refusal);
    if (seen !== null) {
      if (!isSame(seen, order, notBefore)) throw await this.anothers(seen, order);
      return this.transitions.read(order, seen, askedAt, ago(-this.config.constants.ORDER_CHECK_SECONDS));
    }
    if (isProofNeeded) return null;
    await this.transitions.notSent(order, refusal);
    throw new OrderRefused(refusal);
  }

  /**
   * Returns where the search begins: shortly before the first request with this `Idempotency-Key` that the exchange
   * refused because of its API key. ORDER_SETTLE_SECONDS covers the difference to the exchange's clock. A search that
   * begins earlier would prove nothing, because some exchanges list orders for a few hours only.
   * @returns null when no such request was refused
   */
  private async keyRefusedSince(
    { projectId, externalWalletId, idempotencyKey }: Order,
    notBefore: Date,
  ): Promise<Date | null> {
    const [row] = await this.db.query<{ sentAfter: Date | null }>(
      `select min(created_at) - make_interval(secs => $5) as "sentAfter" from orders
        where project_id = $1 and external_wallet_id = $2 and idempotency_key = $3 and created_at > $4
          and state = 'refused' and error_code = 'WALLET_INVALID_CREDENTIALS'`,
      [projectId, externalWalletId, idempotencyKey, notBefore, this.config.values.ORDER_SETTLE_SECONDS],
    );
    return row === undefined ? notBefore : row.sentAfter;
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
