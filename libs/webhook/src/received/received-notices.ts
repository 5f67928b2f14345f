import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Clock } from '#platform/clock';
import { Database, toStorableJson } from '#platform/database';

/** A notice that is not processed yet. */
export interface DueNotice {
  exchange: string;
  noticeId: string;
  body: unknown;
  attempts: number;
}

/**
 * `no_wallet`: the account is not connected; `ignored`: the notice reports no deposit and no withdrawal; `given_up`:
 * the last of the allowed attempts to process the notice has failed.
 */
export type NoticeOutcome = 'applied' | 'no_wallet' | 'ignored' | 'given_up';

/** Stores the notices of exchanges. Each notice is stored before the exchange gets a response. */
@Injectable()
export class ReceivedNotices {
  constructor(
    private readonly db: Database,
    private readonly clock: Clock,
  ) {}

  /** Stores a notice, which is due at once. A notice with an id that is known changes nothing. */
  async store(exchange: string, noticeId: string, body: object): Promise<void> {
    await this.db.query(
      `insert into received_webhooks (exchange, notice_id, body, received_at, next_attempt_at)
       values ($1, $2, $3, $4, $4) on conflict do nothing`,
      [exchange, noticeId, toStorableJson(body), this.clock.now()],
    );
  }

  /** Takes a due notice, the longest overdue first, and locks it until `tx` ends; null = none is due. */
  async take(tx: EntityManager): Promise<DueNotice | null> {
    const [due] = await this.db.query<DueNotice>(
      `select exchange, notice_id as "noticeId", body, attempts from received_webhooks
        where next_attempt_at <= $1 order by next_attempt_at limit 1 for update skip locked`,
      [this.clock.now()],
      tx,
    );
    return due ?? null;
  }

  async finish(tx: EntityManager, { exchange, noticeId }: DueNotice, outcome: NoticeOutcome): Promise<void> {
    await this.db.query(
      `update received_webhooks set next_attempt_at = null, outcome = $3, attempts = attempts + 1
        where exchange = $1 and notice_id = $2`,
      [exchange, noticeId, outcome],
      tx,
    );
  }

  /** @param pauseMs null = there is no further attempt. */
  async postpone({ exchange, noticeId }: DueNotice, pauseMs: number | null): Promise<void> {
    const next = pauseMs === null ? null : new Date(this.clock.now().getTime() + pauseMs);
    await this.db.query(
      `update received_webhooks set attempts = attempts + 1, next_attempt_at = $3::timestamptz,
         outcome = case when $3::timestamptz is null then 'given_up' end
       where exchange = $1 and notice_id = $2 and next_attempt_at is not null`,
      [exchange, noticeId, next],
    );
  }
}
