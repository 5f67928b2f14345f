import { Injectable } from '@nestjs/common';
import { Config } from '#platform/config';
import { OrderStore, type Followed } from './order-store.js';
import type { Order } from './order.entity.js';

const SECOND_MS = 1_000;
/**
 * Pause between two checks, as a part of the order's age. A young order is checked often, because it is most likely to
 * change.
 */
const PART_OF_AGE = 0.1;

/** Determines when the worker checks an order next. A caller who reads the order does not wait for that check. */
@Injectable()
export class NextCheck {
  constructor(
    private readonly store: OrderStore,
    private readonly config: Config,
  ) {}

  /**
   * @param at time of the database
   * @param options.isFailed the exchange could not be queried; the pause is doubled
   */
  async after(
    order: Followed & Pick<Order, 'createdAt'>,
    at: Date,
    { isFailed = false }: { isFailed?: boolean } = {},
  ): Promise<Date> {
    const { ORDER_CHECK_SECONDS, ORDER_CHECK_MAX_SECONDS, ORDER_SPACING_SECONDS } = this.config.constants;
    const now = at.getTime();
    const byAge = Math.max((now - order.createdAt.getTime()) * PART_OF_AGE, ORDER_CHECK_SECONDS * SECOND_MS);
    const alone = Math.min(isFailed ? byAge * 2 : byAge, ORDER_CHECK_MAX_SECONDS * SECOND_MS);
    const others = Math.max((await this.store.countLike(order)) - 1, 0);
    return new Date(now + Math.max(alone, others * ORDER_SPACING_SECONDS * SECOND_MS));
  }
}
