import { Injectable } from '@nestjs/common';
import { Audit, Projects } from '#access';
import { Database } from '#platform/database';
import { NotFound } from '#platform/errors';
import type { WebhookEndpoint } from './webhook-endpoint.js';
import { WebhookEndpoints } from './webhook-endpoints.service.js';

@Injectable()
export class DeleteWebhookEndpoint {
  constructor(
    private readonly db: Database,
    private readonly endpoints: WebhookEndpoints,
    private readonly projects: Projects,
    private readonly audit: Audit,
  ) {}

  /** Deletes an endpoint with its secrets and its log. Nothing more is delivered to it. @throws NotFound */
  async execute(id: string, actor: string): Promise<WebhookEndpoint> {
    const endpoint = await this.endpoints.get(id);
    const { projectId, url } = endpoint;
    const { organizationId } = await this.projects.getContext(projectId);
    await this.db.transaction(async (tx) => {
      const deleted = await this.db.query(`delete from webhook_endpoints where id = $1 returning id`, [id], tx);
      if (deleted.length === 0) throw new NotFound('Webhook endpoint');
      const action = 'webhook_endpoint.deleted';
      await this.audit.record(tx, { organizationId, projectId, actor, action, subject: id, details: { url } });
    });
    return endpoint;
  }
}
