import { Injectable } from '@nestjs/common';
import { Audit, Projects } from '#access';
import { Clock } from '#platform/clock';
import { Database } from '#platform/database';
import { NotFound } from '#platform/errors';
import { Targets } from '../targets/targets.js';
import { knownEventTypes, requireDescription } from './endpoint-rules.js';
import { ENDPOINT_COLUMNS, type WebhookEndpoint } from './webhook-endpoint.js';
import { WebhookEndpoints } from './webhook-endpoints.service.js';

/** Absent members do not change. */
export interface WebhookEndpointChanges {
  url?: string;
  description?: string;
  eventTypes?: readonly string[];
  enabled?: boolean;
}

@Injectable()
export class UpdateWebhookEndpoint {
  constructor(
    private readonly db: Database,
    private readonly clock: Clock,
    private readonly endpoints: WebhookEndpoints,
    private readonly projects: Projects,
    private readonly targets: Targets,
    private readonly audit: Audit,
  ) {}

  /**
   * Changes an endpoint. A disabled endpoint keeps its pending deliveries, but nothing is sent to it. After it is
   * enabled again, each of them is sent at its `nextAttemptAt`, or at once if that time has passed. Enabling an
   * endpoint or changing its address clears `failingSince`.
   * @throws ValidationFailed, NotFound
   */
  async execute(id: string, changes: WebhookEndpointChanges, actor: string): Promise<WebhookEndpoint> {
    const { projectId } = await this.endpoints.get(id);
    const { organizationId } = await this.projects.getContext(projectId);
    const { description, enabled } = changes;
    if (description !== undefined) requireDescription(description);
    const types = changes.eventTypes === undefined ? null : knownEventTypes(changes.eventTypes);
    const url = changes.url === undefined ? null : await this.targets.admit(changes.url);
    return this.db.transaction(async (tx) => {
      const [updated] = await this.db.query<WebhookEndpoint>(
        `update webhook_endpoints set
           url = coalesce($2, url), description = coalesce($3, description), event_types = coalesce($4, event_types),
           disabled_at = case when $5 then null when not $5 then coalesce(disabled_at, $6) else disabled_at end,
           disabled_reason =
             case when $5 then null when not $5 then coalesce(disabled_reason, 'requested') else disabled_reason end,
           failing_since = case when $5 or url <> $2 then null else failing_since end, updated_at = $6
         where id = $1 returning ${ENDPOINT_COLUMNS}`,
        [id, url, description ?? null, types, enabled ?? null, this.clock.now()],
        tx,
      );
      if (updated === undefined) throw new NotFound('Webhook endpoint');
      const details = { url, eventTypes: types?.join(',') ?? null, enabled: enabled?.toString() ?? null };
      const action = 'webhook_endpoint.updated';
      await this.audit.record(tx, { organizationId, projectId, actor, action, subject: id, details });
      return updated;
    });
  }
}
