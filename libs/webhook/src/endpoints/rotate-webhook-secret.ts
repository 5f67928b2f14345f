import { Injectable } from '@nestjs/common';
import { Audit, Projects } from '#access';
import { Clock } from '#platform/clock';
import { Database } from '#platform/database';
import { NotFound, ValidationFailed } from '#platform/errors';
import type { CreatedWebhookEndpoint } from './create-webhook-endpoint.js';
import { SECRET_OVERLAP_SECONDS_MAX } from './endpoint-rules.js';
import { WebhookEndpoints } from './webhook-endpoints.service.js';
import { WebhookSecrets } from './webhook-secrets.js';

export interface RotatedWebhookSecret extends CreatedWebhookEndpoint {
  previousSignsUntil: Date;
}

@Injectable()
export class RotateWebhookSecret {
  constructor(
    private readonly db: Database,
    private readonly clock: Clock,
    private readonly endpoints: WebhookEndpoints,
    private readonly projects: Projects,
    private readonly secrets: WebhookSecrets,
    private readonly audit: Audit,
  ) {}

  /**
   * Creates a new secret. During the overlap, requests carry one signature with the new secret and one with each old
   * secret that still signs.
   * @throws ValidationFailed, NotFound
   * @throws Conflict (409) while too many old secrets sign.
   */
  async execute(id: string, overlapSeconds: number, actor: string): Promise<RotatedWebhookSecret> {
    if (!Number.isInteger(overlapSeconds) || overlapSeconds < 0 || overlapSeconds > SECRET_OVERLAP_SECONDS_MAX) {
      const message = `overlapSeconds must be an integer from 0 to ${SECRET_OVERLAP_SECONDS_MAX}`;
      throw new ValidationFailed([{ field: 'overlapSeconds', message }]);
    }
    const endpoint = await this.endpoints.get(id);
    const { projectId } = endpoint;
    const { organizationId } = await this.projects.getContext(projectId);
    const previousSignsUntil = new Date(this.clock.now().getTime() + overlapSeconds * 1_000);
    const sealer = await this.secrets.sealer(endpoint);
    return this.db.transaction(async (tx) => {
      // The lock lets concurrent rotations of one endpoint happen one after the other.
      const locked = await this.db.query(`select id from webhook_endpoints where id = $1 for update`, [id], tx);
      if (locked.length === 0) throw new NotFound('Webhook endpoint');
      await this.secrets.retire(tx, endpoint, previousSignsUntil);
      const secret = await this.secrets.create(tx, endpoint, sealer);
      const details = { previousSignsUntil: previousSignsUntil.toISOString() };
      const action = 'webhook_secret.rotated';
      await this.audit.record(tx, { organizationId, projectId, actor, action, subject: id, details });
      return { endpoint, secret, previousSignsUntil };
    });
  }
}
