import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Clock } from '#platform/clock';
import { Config } from '#platform/config';
import { Database, toStorableJson } from '#platform/database';
import type { StoredEvent } from '#platform/events';
import type { WebhookEndpoint } from '../endpoints/webhook-endpoint.js';
import { DELIVERY_COLUMNS, type WebhookDelivery } from './delivery.js';
import type { WebhookResult } from './webhook-sender.js';

/** The lease of an endpoint: only its holder delivers to the endpoint. */
export interface EndpointLease {
  endpoint: Pick<WebhookEndpoint, 'id' | 'projectId'>;
  holder: string;
}

/** Deliveries whose attempts begin now, and the address to which they are sent. */
export interface TakenDeliveries {
  url: string;
  deliveries: WebhookDelivery[];
}

/** A delivery that is to be written. */
export type DeliveryDraft = Pick<WebhookDelivery, 'endpointId' | 'eventId' | 'eventType'>;

/** Writes deliveries and their attempts, and leases endpoints to workers. */
@Injectable()
export class DeliveryStore {
  constructor(
    private readonly db: Database,
    private readonly clock: Clock,
    private readonly config: Config,
  ) {}

  /**
   * Writes one pending delivery for each event and each enabled endpoint that receives the event's type. An event that
   * was recorded shortly before the endpoint was registered is delivered, too: the clocks of the hosts differ, and a
   * missing event is worse than an early one.
   */
  async create(tx: EntityManager, events: readonly StoredEvent[]): Promise<void> {
    const wanted = await this.db.query<DeliveryDraft>(
      `select w.id as "endpointId", e.id as "eventId", e.type as "eventType"
         from unnest($1::uuid[], $2::uuid[], $3::text[]) with ordinality as e (id, project_id, type, number)
         join webhook_endpoints w on w.project_id = e.project_id and w.disabled_at is null
              and (w.event_types = '{}' or e.type = any(w.event_types))
        order by e.number`,
      [events.map(({ id }) => id), events.map(({ projectId }) => projectId), events.map(({ type }) => type)],
      tx,
    );
    await this.insert(tx, wanted);
  }

  /** Inserts deliveries. Existing deliveries do not change. @returns the number of new deliveries. */
  async insert(tx: EntityManager, drafts: readonly DeliveryDraft[]): Promise<number> {
    if (drafts.length === 0) return 0;
    const inserted = await this.db.query(
      `insert into webhook_deliveries (id, endpoint_id, event_id, event_type, state, next_attempt_at, created_at, updated_at)
       select id, endpoint_id, event_id, event_type, 'pending', $5, $5, $5
         from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::text[]) as new (id, endpoint_id, event_id, event_type)
       on conflict (endpoint_id, event_id) do nothing returning id`,
      [
        drafts.map(() => this.clock.newId()),
        drafts.map(({ endpointId }) => endpointId),
        drafts.map(({ eventId }) => eventId),
        drafts.map(({ eventType }) => eventType),
        this.clock.now(),
      ],
      tx,
    );
    return inserted.length;
  }

  /**
   * Lists enabled endpoints that have a due delivery and that no worker has leased, the longest overdue first.
   * @param areFailing true: lists only endpoints with a `failingSince`; false: lists only endpoints without one
   */
  async listDueEndpoints(limit: number, { areFailing }: { areFailing: boolean }): Promise<string[]> {
    const due = await this.db.query<{ id: string }>(
      `select w.id from webhook_endpoints w
         cross join lateral (select next_attempt_at from webhook_deliveries d
           where d.endpoint_id = w.id and d.state = 'pending' order by next_attempt_at limit 1) first
        where w.disabled_at is null and first.next_attempt_at <= $1 and (w.leased_until is null or w.leased_until <= $1)
          and (w.failing_since is not null) = $3
          and not exists (select from stopped_projects s where s.id = w.project_id)
        order by first.next_attempt_at limit $2`,
      [this.clock.now(), limit, areFailing],
    );
    return due.map(({ id }) => id);
  }

  /** How long the oldest delivery to an enabled endpoint has been due, in milliseconds; 0 = none is due. */
  async oldestDueMs(): Promise<number> {
    const now = this.clock.now();
    const [row] = await this.db.query<{ oldest: Date | null }>(
      `select min(d.next_attempt_at) as oldest from webhook_deliveries d join webhook_endpoints w on w.id = d.endpoint_id
        where d.state = 'pending' and d.next_attempt_at <= $1 and w.disabled_at is null
          and not exists (select from stopped_projects s where s.id = w.project_id)`,
      [now],
    );
    return row?.oldest == null ? 0 : now.getTime() - row.oldest.getTime();
  }

  /**
   * Leases an endpoint.
   * @returns null when it is disabled or deleted, its project is stopped, or another worker has leased it
   */
  async lease(endpointId: string): Promise<EndpointLease | null> {
    const now = this.clock.now();
    const holder = this.clock.newId();
    const [endpoint] = await this.db.query<EndpointLease['endpoint']>(
      `update webhook_endpoints set leased_by = $2, leased_until = $3
        where id = $1 and disabled_at is null and (leased_until is null or leased_until <= $4)
          and not exists (select from stopped_projects s where s.id = project_id)
       returning id, project_id as "projectId"`,
      [endpointId, holder, new Date(now.getTime() + this.config.constants.WEBHOOK_LEASE_MS), now],
    );
    return endpoint === undefined ? null : { endpoint, holder };
  }

  async release({ endpoint, holder }: EndpointLease): Promise<void> {
    await this.db.query(
      `update webhook_endpoints set leased_by = null, leased_until = null where id = $1 and leased_by = $2`,
      [endpoint.id, holder],
    );
  }

  /**
   * Takes due deliveries, the oldest first, and stores the attempt that follows for each. When the process ends during
   * the attempt, the delivery is due again after the lease.
   * @returns null when the endpoint was disabled or deleted, or the lease was lost
   */
  take({ endpoint: { id: endpointId }, holder }: EndpointLease, limit: number): Promise<TakenDeliveries | null> {
    const now = this.clock.now();
    const again = new Date(now.getTime() + this.config.constants.WEBHOOK_LEASE_MS);
    return this.db.transaction(async (tx) => {
      // Reads the address again, because it may have changed since the lease began.
      const [endpoint] = await this.db.query<Pick<WebhookEndpoint, 'url'>>(
        `select url from webhook_endpoints
          where id = $1 and leased_by = $2 and disabled_at is null
            and not exists (select from stopped_projects s where s.id = project_id)`,
        [endpointId, holder],
        tx,
      );
      if (endpoint === undefined) return null;
      const { url } = endpoint;
      const deliveries = await this.db.query<WebhookDelivery>(
        `update webhook_deliveries d set attempts = attempts + 1, next_attempt_at = $3, updated_at = $2
          where id in (select due.id from webhook_deliveries due
                        where due.endpoint_id = $1 and due.state = 'pending' and due.next_attempt_at <= $2
                        order by due.next_attempt_at, due.id limit $4 for update skip locked)
         returning ${DELIVERY_COLUMNS}`,
        [endpointId, now, again, limit],
        tx,
      );
      await this.db.query(
        `insert into webhook_attempts (delivery_id, number, url, started_at)
         select delivery_id, number, $3, $4 from unnest($1::uuid[], $2::integer[]) as new (delivery_id, number)`,
        [deliveries.map(({ id }) => id), deliveries.map(({ attempts }) => attempts), url, now],
        tx,
      );
      return { url, deliveries };
    });
  }

  /** Stores the result of an attempt in its row. */
  async finishAttempt(
    tx: EntityManager,
    { id, attempts }: WebhookDelivery,
    requestHeaders: Record<string, string>,
    { status, headers, body, error }: WebhookResult,
  ): Promise<void> {
    await this.db.query(
      `update webhook_attempts set finished_at = $3, request_headers = $4, response_status = $5, response_headers = $6,
         response_body = $7, error = $8
       where delivery_id = $1 and number = $2`,
      [
        ...[id, attempts, this.clock.now(), JSON.stringify(requestHeaders), status],
        ...[headers === null ? null : toStorableJson(headers), body, error],
      ],
      tx,
    );
  }

  /**
   * Ends an attempt of a pending delivery. Changes nothing when a re-send or a later attempt has begun in the meantime.
   * @param nextAttemptAt null unless `state` is `pending`
   */
  async settle(
    tx: EntityManager,
    { id, attempts, resends }: WebhookDelivery,
    { state, nextAttemptAt }: { state: WebhookDelivery['state']; nextAttemptAt: Date | null },
  ): Promise<void> {
    await this.db.query(
      `update webhook_deliveries set state = $4, next_attempt_at = $5, updated_at = $6
        where id = $1 and attempts = $2 and resends = $3 and state = 'pending'`,
      [id, attempts, resends, state, nextAttemptAt, this.clock.now()],
      tx,
    );
  }
}
