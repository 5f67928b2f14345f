import { Injectable } from '@nestjs/common';
import { Database } from '#platform/database';
import type { PageQuery } from '#platform/http';
import type { WithdrawalState } from '../withdrawals/withdrawal-state.js';

/**
 * The states that an operator can list; `unmatched`: a record of the exchange that matches no known withdrawal and is
 * not settled.
 */
export type ReviewState = WithdrawalState | 'unmatched';

export interface ReviewFilter {
  states: readonly ReviewState[];
  /** The caller's id of the wallet; null = every wallet. */
  externalWalletId: string | null;
  page: PageQuery;
}

/** A withdrawal or an unmatched record in a list for operators. Amounts are decimal strings. */
export interface ReviewItem {
  id: string;
  state: ReviewState;
  projectId: string;
  externalWalletId: string;
  exchange: string;
  asset: string;
  /** The amount that the receiver gets. */
  amount: string;
  /** null = the exchange does not show it. */
  address: string | null;
  exchangeId: string | null;
  /** When the withdrawal came to this state, or when the exchange booked the unmatched record. */
  since: Date;
}

/** Lists withdrawals and unmatched records of all projects by state. */
@Injectable()
export class ListReviews {
  constructor(private readonly db: Database) {}

  /** Lists the entries that have waited longest first, so that an operator decides about them first. */
  execute({ states, externalWalletId, page: { page, limit } }: ReviewFilter): Promise<ReviewItem[]> {
    return this.db.query<ReviewItem>(
      `select * from (
         select w.id, w.state, w.project_id as "projectId", t.external_wallet_id as "externalWalletId", w.exchange, w.asset,
           w.amount_no_fee as amount, w.address, w.exchange_id as "exchangeId", w.state_changed_at as since
         from withdrawals w join transactions t on t.id = w.transaction_id
         where w.state = any($1)
         union all
         select r.id, 'unmatched', r.project_id, r.external_wallet_id, r.exchange, r.asset, r.amount_no_fee, r.address,
           r.exchange_id, r.occurred_at
         from unmatched_records r
         where r.settled_at is null and 'unmatched' = any($1)
       ) items
       where $2::text is null or "externalWalletId" = $2
       order by since, id offset $3 limit $4`,
      [states, externalWalletId, page * limit, limit],
    );
  }
}
