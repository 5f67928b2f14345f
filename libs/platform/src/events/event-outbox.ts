import { Injectable } from '@nestjs/common';
import { isUUID } from 'class-validator';
import type { EntityManager } from 'typeorm';
import { Clock } from '#platform/clock';
import { Database } from '#platform/database';
import type { EventType } from './events.js';

/** A row of the table `events`. */
export interface StoredEvent {
  id: string;
  projectId: string;
  type: EventType;
  subject: string;
  data: Record<string, unknown> & { walletId?: string };
  createdAt: Date;
  /** Number among the events of its wallet, counted from 1; null = it belongs to no wallet. */
  walletSequence: string | null;
}

/** The key of the advisory lock that only one dispatch holds at a time. */
const DISPATCH_LOCK = `hashtextextended('causeway.events.dispatch', 6)`;

const COLUMNS = `e.id, e.project_id as "projectId", e.type, e.subject, e.data, e.created_at as "createdAt",
  e.wallet_sequence as "walletSequence"`;

/** Dispatches each stored event exactly once, and finds and lists stored events. */
@Injectable()
export class EventOutbox {
  constructor(
    private readonly db: Database,
    private readonly clock: Clock,
  ) {}

  /**
   * Gives the next events their numbers and hands them to `handOver` in the same transaction. Every event is handed
   * over exactly once; when `handOver` throws, the events stay undispatched. Only one dispatch runs at a time, and it
   * takes the events in the order of their changes. So the numbers of a wallet's events have the same order.
   * @returns the number of events; 0 also when another process dispatches now.
   */
  dispatch(limit: number, handOver: (tx: EntityManager, events: StoredEvent[]) => Promise<void>): Promise<number> {
    return this.db.transaction(async (tx) => {
      const [lock] = await this.db.query<{ mine: boolean }>(
        `select pg_try_advisory_xact_lock(${DISPATCH_LOCK}) as mine`,
        [],
        tx,
      );
      if (lock?.mine !== true) return 0;
      const events = await this.number(tx, limit);
      if (events.length > 0) await handOver(tx, events);
      return events.length;
    });
  }

  /** Returns null when the event is unknown or was deleted. */
  async find(id: string): Promise<StoredEvent | null> {
    if (!isUUID(id)) return null;
    const [event] = await this.db.query<StoredEvent>(`select ${COLUMNS} from events e where e.id = $1`, [id]);
    return event ?? null;
  }

  /** Lists the dispatched events of a project from `from` (inclusive) to `to` (exclusive), oldest first. */
  listBetween(
    { projectId, from, to, limit }: { projectId: string; from: Date; to: Date; limit: number },
    tx?: EntityManager,
  ): Promise<StoredEvent[]> {
    return this.db.query<StoredEvent>(
      `select ${COLUMNS} from events e
        where e.project_id = $1 and e.created_at >= $2 and e.created_at < $3 and e.dispatched_at is not null
        order by e.created_at, e.id limit $4`,
      [projectId, from, to, limit],
      tx,
    );
  }

  /** Returns the age of the oldest event that is not dispatched, in milliseconds; 0 = there is none. */
  async backlogMs(): Promise<number> {
    const [row] = await this.db.query<{ oldest: Date | null }>(
      `select min(created_at) as oldest from events where dispatched_at is null`,
    );
    const now = this.clock.now().getTime();
    return Math.max(0, now - (row?.oldest?.getTime() ?? now));
  }

  private async number(tx: EntityManager, limit: number): Promise<StoredEvent[]> {
    const events = await this.db.query<StoredEvent & { position: string }>(
      `with taken as (
         select id, project_id, type, position, data->>'walletId' as wallet
           from events where dispatched_at is null order by position limit $1
       ), counted as (
         select project_id, wallet, count(*) as events,
                (array_agg(type order by position desc) filter (where type in ('wallet.created', 'wallet.deleted')))[1] as life
           from taken where wallet is not null group by project_id, wallet
       ), counters as (
         insert into wallet_event_counters as c (project_id, external_wallet_id, last_sequence, deleted_at)
         select project_id, wallet, events, case when life = 'wallet.deleted' then $2::timestamptz end from counted
             order by project_id, wallet
         on conflict (project_id, external_wallet_id) do update set
           last_sequence = c.last_sequence + excluded.last_sequence,
           deleted_at = case (select life from counted where (project_id, wallet) = (c.project_id, c.external_wallet_id))
             when 'wallet.deleted' then $2::timestamptz when 'wallet.created' then null else c.deleted_at end
         returning project_id, external_wallet_id, last_sequence
       ), numbered as (
         select t.id, c.last_sequence - counted.events
                + row_number() over (partition by t.project_id, t.wallet order by t.position) as sequence
           from taken t
           left join counted on (counted.project_id, counted.wallet) = (t.project_id, t.wallet)
           left join counters c on (c.project_id, c.external_wallet_id) = (t.project_id, t.wallet)
       )
       update events e set dispatched_at = $2, wallet_sequence = numbered.sequence
         from numbered where e.id = numbered.id
       returning ${COLUMNS}, e.position`,
      [limit, this.clock.now()],
      tx,
    );
    return events
      .sort((a, b) => (BigInt(a.position) < BigInt(b.position) ? -1 : 1))
      .map(({ position: _, ...event }) => event);
  }
}
