import { Injectable } from '@nestjs/common';
import { Audit, Projects } from '#access';
import { Clock } from '#platform/clock';
import { Database } from '#platform/database';
import { Conflict, ValidationFailed } from '#platform/errors';
import { EventOutbox } from '#platform/events';
import { WebhookEndpoints } from '../endpoints/webhook-endpoints.service.js';
import { DeliveryStore } from './delivery-store.js';
import type { WebhookDelivery } from './delivery.js';
import { WebhookDeliveries } from './webhook-deliveries.service.js';

/** Maximum number of re-sends of one delivery. There is a limit because each re-send adds attempts to the log. */
export const RESENDS_MAX = 20;
/** Maximum number of events of one call that re-sends a range. */
export const RESEND_EVENTS_MAX = 5_000;

export interface ResendRange {
  endpointId: string;
  /** The time of the first event, inclusive. */
  from: Date;
  /** The time after the last event, exclusive. */
  to: Date;
  /** Whether events that the endpoint has accepted are sent again, too. */
  includeDelivered: boolean;
  /** The actor for the audit log. */
  actor: string;
}

export interface ResentRange {
  /** Number of deliveries that this call has created or made due again. */
  count: number;
  /** The `from` of the next call; null = the whole range was processed. */
  continueFrom: Date | null;
}

/** Makes deliveries due again. Each keeps its `webhook-id`, and gets all retries anew. */
@Injectable()
export class ResendWebhooks {
  constructor(
    private readonly db: Database,
    private readonly clock: Clock,
    private readonly endpoints: WebhookEndpoints,
    private readonly deliveries: WebhookDeliveries,
    private readonly outbox: EventOutbox,
    private readonly store: DeliveryStore,
    private readonly projects: Projects,
    private readonly audit: Audit,
  ) {}

  /** @throws NotFound, and Conflict (409) after RESENDS_MAX re-sends. */
  async one(deliveryId: string, actor: string): Promise<WebhookDelivery> {
    const { endpointId } = await this.deliveries.get(deliveryId);
    const { projectId } = await this.endpoints.get(endpointId);
    const { organizationId } = await this.projects.getContext(projectId);
    await this.db.transaction(async (tx) => {
      const resent = await this.db.query(
        `update webhook_deliveries set ${this.again('$2')} where id = $1 and resends < $3 returning id`,
        [deliveryId, this.clock.now(), RESENDS_MAX],
        tx,
      );
      if (resent.length === 0) {
        throw new Conflict(`This delivery was already sent again ${RESENDS_MAX} times, which is the maximum`);
      }
      const action = 'webhook_delivery.resent';
      await this.audit.record(tx, { organizationId, projectId, actor, action, subject: deliveryId, details: {} });
    });
    return this.deliveries.get(deliveryId);
  }

  /**
   * Sends the events of a time range to an endpoint: those that it has not accepted, and those that were recorded while
   * it was disabled or not registered. Deliveries that were re-sent RESENDS_MAX times are left out.
   * @throws NotFound, ValidationFailed
   */
  async range({ endpointId, from, to, includeDelivered, actor }: ResendRange): Promise<ResentRange> {
    if (from >= to) throw new ValidationFailed([{ field: 'from', message: 'from must be an earlier time than to' }]);
    const { projectId, eventTypes } = await this.endpoints.get(endpointId);
    const { organizationId } = await this.projects.getContext(projectId);
    const events = await this.outbox.listBetween({ projectId, from, to, limit: RESEND_EVENTS_MAX });
    const wanted = events.filter(({ type }) => eventTypes.length === 0 || eventTypes.includes(type));
    const last = events.length < RESEND_EVENTS_MAX ? undefined : events.at(-1);
    return this.db.transaction(async (tx) => {
      const states = includeDelivered ? ['pending', 'failed', 'delivered'] : ['pending', 'failed'];
      const existing = await this.db.query(
        `update webhook_deliveries set ${this.again('$2')}
          where endpoint_id = $1 and event_id = any($4) and state = any($5) and resends < $3 returning id`,
        [endpointId, this.clock.now(), RESENDS_MAX, wanted.map(({ id }) => id), states],
        tx,
      );
      const drafts = wanted.map(({ id: eventId, type: eventType }) => ({ endpointId, eventId, eventType }));
      const inserted = await this.store.insert(tx, drafts);
      const count = existing.length + inserted;
      const details = { from: from.toISOString(), to: to.toISOString(), count: String(count) };
      const action = 'webhook_endpoint.resent';
      await this.audit.record(tx, { organizationId, projectId, actor, action, subject: endpointId, details });
      return { count, continueFrom: last?.createdAt ?? null };
    });
  }

  private again(now: string): string {
    return `state = 'pending', next_attempt_at = ${now}, attempts_before = attempts, resends = resends + 1, updated_at = ${now}`;
  }
}
