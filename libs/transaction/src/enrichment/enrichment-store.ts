import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Clock } from '#platform/clock';
import { Config } from '#platform/config';
import { Database } from '#platform/database';
import { Events } from '#platform/events';
import { toTransactionEvent } from '../history/transaction.event.js';
import { Transaction } from '../history/transaction.entity.js';
import { SEARCH_WINDOW_MS, type ChainTransfer } from './chain.js';

/** Longest pause between two look-ups of a transaction. */
const BACKOFF_MAX_SECONDS = 21_600;

/** The columns of `transactions` for look-ups on chains: when a chain is queried next, and the results. */
@Injectable()
export class EnrichmentStore {
  constructor(
    private readonly db: Database,
    private readonly events: Events,
    private readonly clock: Clock,
    private readonly config: Config,
  ) {}

  find(id: string): Promise<Transaction | null> {
    return this.db.repository(Transaction).findOneBy({ id });
  }

  /** Takes up to `limit` rows of a network that are due. A taken row is not due again for one lease. */
  async takeDue(network: string, limit: number): Promise<string[]> {
    const now = this.clock.now();
    const leaseEnd = new Date(now.getTime() + this.config.constants.QUEUE_LEASE_MS);
    const rows = await this.db.query<{ id: string }>(
      `update transactions set next_enrich_at = $3
        where id in (select id from transactions t where network = $1 and next_enrich_at <= $2
                        and not exists (select from stopped_projects s where s.id = t.project_id)
                      order by next_enrich_at limit $4 for no key update skip locked)
       returning id`,
      [network, now, leaseEnd, limit],
    );
    return rows.map(({ id }) => id);
  }

  /** Postpones the next look-up. @param until null = there is no further look-up. */
  async postpone(id: string, until: Date | null): Promise<void> {
    await this.db.query(`update transactions set next_enrich_at = $2 where id = $1`, [id, until]);
  }

  /**
   * Reserves the look-up of a transaction for the caller. Only one look-up is possible in ENRICHMENT_REPEAT_MS.
   * @param isAttempt true: the look-up counts as one of ENRICHMENT_ATTEMPTS, and the next attempt is scheduled.
   * @returns whether the caller may query the chain now.
   */
  async claim(id: string, { isAttempt }: { isAttempt: boolean }): Promise<boolean> {
    const { values, constants } = this.config;
    const now = this.clock.now();
    const rows = await this.db.query(
      `update transactions set
         enrich_asked_at = $2::timestamptz,
         enrich_count = enrich_count + $4::int,
         next_enrich_at = case
           when $4::int = 0 then next_enrich_at
           when enrich_count + 1 < $5::int
             then $2::timestamptz + interval '1 second' * least($6::float8 * 2 ^ enrich_count, $7::float8) end
        where id = $1 and (enrich_asked_at is null or enrich_asked_at <= $3)
       returning id`,
      [
        id,
        now,
        new Date(now.getTime() - values.ENRICHMENT_REPEAT_MS),
        isAttempt ? 1 : 0,
        constants.ENRICHMENT_ATTEMPTS,
        constants.ENRICHMENT_BACKOFF_SECONDS,
        BACKOFF_MAX_SECONDS,
      ],
    );
    return rows.length > 0;
  }

  /**
   * Whether another transfer of the project looks the same on a chain: same direction, amount and address, about the
   * same time. A hash found by a search may then belong to either of the two transfers.
   */
  async hasDuplicate({
    id,
    projectId,
    direction,
    network,
    addressTo,
    amount,
    occurredAt,
  }: Transaction): Promise<boolean> {
    const windowMs = 2 * SEARCH_WINDOW_MS;
    const [duplicate] = await this.db.query(
      `select 1 from transactions
        where project_id = $1 and occurred_at between $2 and $3 and superseded_by is null and id <> $4
          and (direction, network, address_to, amount) is not distinct from ($5, $6, $7, $8)
          and status in ('pending', 'ok')
        limit 1`,
      [
        projectId,
        new Date(occurredAt.getTime() - windowMs),
        new Date(occurredAt.getTime() + windowMs),
        id,
        direction,
        network,
        addressTo,
        amount.toString(),
      ],
    );
    return duplicate !== undefined;
  }

  /**
   * Stores the hash, sender and block from the chain. A hash or sender that is already stored stays. Does nothing when
   * the stored hash is no longer that of `asked`, because the look-up may then have found another transfer.
   */
  async record(asked: Transaction, { hash, addressFrom, block, isReverted }: ChainTransfer): Promise<void> {
    const confirmed = isReverted ? null : block;
    const isDone = isReverted || confirmed !== null;
    await this.db.transaction(async (tx) => {
      const changed = await this.db.query(
        `update transactions set
           hash = coalesce(hash, $3),
           address_from = coalesce(address_from, $4),
           confirmed_at = $5,
           block_height = $6,
           updated_at = $7
          where id = $1 and hash is not distinct from $2 and confirmed_at is null and superseded_by is null
            and (hash, address_from, confirmed_at)
                is distinct from (coalesce(hash, $3), coalesce(address_from, $4), $5::timestamptz)
         returning id`,
        [asked.id, asked.hash, hash, addressFrom, confirmed?.at ?? null, confirmed?.height ?? null, this.clock.now()],
        tx,
      );
      if (isDone) {
        const done = `update transactions set next_enrich_at = null where id = $1 and hash = $2`;
        await this.db.query(done, [asked.id, asked.hash ?? hash], tx);
      }
      if (changed.length > 0) await this.recordEvent(tx, asked.id);
    });
  }

  /** Records an event, unless the transaction happened before the wallet was connected. */
  private async recordEvent(tx: EntityManager, id: string): Promise<void> {
    const [recent] = await this.db.query(
      `select 1 from transactions t left join transaction_syncs s on s.wallet_id = t.wallet_id and s.kind = t.type
        where t.id = $1 and (t.origin = 'execution' or t.occurred_at >= s.events_since)`,
      [id],
      tx,
    );
    if (recent === undefined) return;
    const transaction = await tx.findOneByOrFail(Transaction, { id });
    await this.events.record(tx, [toTransactionEvent('transaction.updated', transaction)]);
  }
}
