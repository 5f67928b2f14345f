import { Injectable } from '@nestjs/common';
import { Database } from '#platform/database';
import type { PageQuery } from '#platform/http';
import type { WithdrawalState } from '../execution/withdrawal-state.js';

/** The states that an operator can list; `unmatched`: a record of the exchange that matches no known withdrawal and is not settled. */
export type ReviewState = WithdrawalState | 'unmatched';

export interface ReviewFilter {
  states: readonly ReviewState[];
  /** The caller's id of the wallet; null = every wallet. */
  externalWalletId: string | null;
  page: PageQuery;
}

/** A withdrawal or an unmatched record in a list for operators. Amounts are decimal texts. */
export interface ReviewItem {
  id: string;
  state: ReviewState;
  projectId: string;
  externalWalletId: string;
  exchange: string;
  asset: string;
  /** What arrives. */
  amount: string;
  /** null = the exchange does not tell. */
  address: string | null;
  exchangeId: string | null;
  /** Since when it is in this state; of an unmatched record: when the exchange booked it. */
  since: Date;
}

/** What waits for an operator, or is in any other state, over all projects. */
@Injectable()
export class ListReviews {
  constructor(private readonly db: Database) {}

  /** Oldest first: who waits longest is served first. */
  execute({ states, externalWalletId, page: { page, limit } }: ReviewFilter): Promise<ReviewItem[]> {
    return this.db.query<ReviewItem>(
      `select * from (
         select w.id, w.state, w.project_id as "projectId", t.external_wallet_id as "externalWalletId", w.exchange, w.asset,
           w.amount_no_fee as amount, w.address, w.exchange_id as "exchangeId", w.state_changed_at as since
         from withdrawals w join transactions t on t.id = w.transaction_id
         where w.state = any($1)
         union all
         select o.id, 'unmatched', o.project_id, o.external_wallet_id, o.exchange, o.asset, o.amount_no_fee, o.address,
           o.exchange_id, o.occurred_at
         from unmatched_records o
         where o.settled_at is null and 'unmatched' = any($1)
       ) items
       where $2::text is null or "externalWalletId" = $2
       order by since, id offset $3 limit $4`,
      [states, externalWalletId, page * limit, limit],
    );
  }
}
