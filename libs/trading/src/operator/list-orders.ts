import { Injectable } from '@nestjs/common';
import { Clock, DAY_MS } from '#platform/clock';
import { Config } from '#platform/config';
import { Database } from '#platform/database';
import type { PageQuery } from '#platform/http';
import { IN_REVIEW, IS_UNLISTED, reviewSince } from '../orders/order-review.js';
import type { OrderState } from '../orders/order-state.js';

/** For how long an order that was reported wrongly is listed as `contradicted`. */
const CONTRADICTED_FOR_MS = 7 * DAY_MS;

/**
 * The states that an operator can list. `review`: the outcome is unknown, and evidence has not settled it;
 * `contradicted`: the order was reported as refused or never placed, and the exchange has shown it since; `unlisted`:
 * an open order has ended, and the exchange no longer shows whether it was executed.
 */
export type OrderReviewState = OrderState | 'review' | 'contradicted' | 'unlisted';

export interface OrderFilter {
  states: readonly OrderReviewState[];
  /** The caller's id of the wallet; null = every wallet. */
  externalWalletId: string | null;
  page: PageQuery;
}

/** An order in a list for operators. Amounts are decimal strings. */
export interface OrderItem {
  id: string;
  state: OrderState;
  isInReview: boolean;
  isUnlisted: boolean;
  contradictedAt: Date | null;
  projectId: string;
  externalWalletId: string;
  exchange: string;
  /** Side, volume, pair, type and price in one text. */
  orderText: string;
  clientOrderId: string;
  exchangeIds: string[];
  createdAt: Date;
}

/** Lists orders of all projects by state, the oldest first. */
@Injectable()
export class ListOrders {
  constructor(
    private readonly db: Database,
    private readonly clock: Clock,
    private readonly config: Config,
  ) {}

  execute({ states, externalWalletId, page: { page, limit } }: OrderFilter): Promise<OrderItem[]> {
    const now = this.clock.now();
    return this.db.query<OrderItem>(
      `select id, state, ${IN_REVIEW('$1')} as "isInReview", ${IS_UNLISTED} as "isUnlisted", contradicted_at as "contradictedAt",
         project_id as "projectId", external_wallet_id as "externalWalletId", exchange, order_text as "orderText",
         client_order_id as "clientOrderId", exchange_ids as "exchangeIds", created_at as "createdAt"
       from orders
       where (state = any($2) or ('review' = any($2) and ${IN_REVIEW('$1')}) or ('unlisted' = any($2) and ${IS_UNLISTED})
           or ('contradicted' = any($2) and contradicted_at > $3))
         and ($4::text is null or external_wallet_id = $4)
       order by created_at, id offset $5 limit $6`,
      [
        reviewSince(now, this.config),
        states,
        new Date(now.getTime() - CONTRADICTED_FOR_MS),
        externalWalletId,
        page * limit,
        limit,
      ],
    );
  }
}
