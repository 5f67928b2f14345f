import { Injectable } from '@nestjs/common';
import { Audit, Projects } from '#access';
import { Clock } from '#platform/clock';
import { Config } from '#platform/config';
import type { Secret } from '#platform/crypto';
import { Database } from '#platform/database';
import { Conflict } from '#platform/errors';
import { Targets } from '../targets/targets.js';
import { knownEventTypes, requireDescription } from './endpoint-rules.js';
import { ENDPOINT_COLUMNS, type WebhookEndpoint } from './webhook-endpoint.js';
import { WebhookSecrets } from './webhook-secrets.js';

export interface CreateWebhookEndpointInput {
  projectId: string;
  url: string;
  description: string;
  /** Empty = all types. */
  eventTypes: readonly string[];
  /** The actor for the audit log. */
  actor: string;
}

export interface CreatedWebhookEndpoint {
  endpoint: WebhookEndpoint;
  /** The secret is available only now and cannot be read again. */
  secret: Secret;
}

@Injectable()
export class CreateWebhookEndpoint {
  constructor(
    private readonly db: Database,
    private readonly clock: Clock,
    private readonly config: Config,
    private readonly projects: Projects,
    private readonly targets: Targets,
    private readonly secrets: WebhookSecrets,
    private readonly audit: Audit,
  ) {}

  /**
   * Registers an endpoint. It receives the events that are recorded from now on.
   * @throws ValidationFailed, NotFound for the project
   * @throws Conflict (409) when the project has too many endpoints.
   */
  async execute(input: CreateWebhookEndpointInput): Promise<CreatedWebhookEndpoint> {
    requireDescription(input.description);
    const types = knownEventTypes(input.eventTypes);
    const { id: projectId, organizationId } = await this.projects.get(input.projectId);
    const url = await this.targets.admit(input.url);
    const sealer = await this.secrets.sealer({ projectId });
    return this.db.transaction(async (tx) => {
      const max = this.config.constants.WEBHOOK_ENDPOINTS_MAX;
      // The lock makes concurrent calls of one project wait, so that they cannot exceed the limit together.
      const [created] = await this.db.query<WebhookEndpoint>(
        `with locked as materialized (select pg_advisory_xact_lock(hashtextextended($1::uuid::text, 7)))
         insert into webhook_endpoints (id, project_id, url, description, event_types, created_at, updated_at)
         select $2, $1, $3, $4, $5, $6, $6 from locked
         returning ${ENDPOINT_COLUMNS}`,
        [projectId, this.clock.newId(), url, input.description, types, this.clock.now()],
        tx,
      );
      if (created === undefined) throw new Error('the endpoint was not inserted');
      const [count] = await this.db.query<{ count: string }>(
        `select count(*) as count from webhook_endpoints where project_id = $1`,
        [projectId],
        tx,
      );
      if (Number(count?.count) > max) {
        throw new Conflict(`A project can have at most ${max} webhook endpoints`);
      }
      const secret = await this.secrets.create(tx, created, sealer);
      const details = { url, eventTypes: types.join(',') };
      const { actor } = input;
      const action = 'webhook_endpoint.created';
      await this.audit.record(tx, { organizationId, projectId, actor, action, subject: created.id, details });
      return { endpoint: created, secret };
    });
  }
}
