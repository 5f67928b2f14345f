import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Clock, DAY_MS } from '#platform/clock';
import { Config } from '#platform/config';
import { Database } from '#platform/database';
import { Events } from '#platform/events';
import { ENDPOINT_COLUMNS, type DisabledReason, type WebhookEndpoint } from '../endpoints/webhook-endpoint.js';
import type { WebhookResult } from './webhook-sender.js';

/** Status with which an endpoint refuses all further webhooks (RFC 9110, section 15.5.11; Standard Webhooks). */
const GONE = 410;

/** Records since when an endpoint has failed, and disables an endpoint that has failed for too long. */
@Injectable()
export class EndpointHealth {
  constructor(
    private readonly db: Database,
    private readonly clock: Clock,
    private readonly config: Config,
    private readonly events: Events,
  ) {}

  /**
   * Records the result of one attempt.
   * @param url the address of the attempt. The result counts only while the endpoint has this address.
   */
  async observe(
    tx: EntityManager,
    { endpointId, url }: { endpointId: string; url: string },
    { error, status }: WebhookResult,
  ): Promise<void> {
    if (error === null) {
      await this.db.query(
        `update webhook_endpoints set failing_since = null where id = $1 and url = $2 and failing_since is not null`,
        [endpointId, url],
        tx,
      );
      return;
    }
    const now = this.clock.now();
    const [row] = await this.db.query<{ since: Date }>(
      `update webhook_endpoints set failing_since = coalesce(failing_since, $3) where id = $1 and url = $2
       returning failing_since as since`,
      [endpointId, url, now],
      tx,
    );
    if (row === undefined) return;
    const maxMs = this.config.values.WEBHOOK_DISABLE_DAYS * DAY_MS;
    if (status === GONE) await this.disable(tx, endpointId, 'gone');
    else if (now.getTime() - row.since.getTime() >= maxMs) await this.disable(tx, endpointId, 'failing');
  }

  /**
   * Disables the endpoint and informs the project's other endpoints. Pending deliveries continue when it is enabled
   * again.
   */
  private async disable(tx: EntityManager, endpointId: string, reason: DisabledReason): Promise<void> {
    const [endpoint] = await this.db.query<WebhookEndpoint>(
      `update webhook_endpoints set disabled_at = $2, disabled_reason = $3, updated_at = $2
        where id = $1 and disabled_at is null returning ${ENDPOINT_COLUMNS}`,
      [endpointId, this.clock.now(), reason],
      tx,
    );
    if (endpoint === undefined) return;
    const { projectId, url, failingSince } = endpoint;
    const data = { endpointId, url, reason, failingSince: failingSince?.toISOString() ?? null };
    await this.events.record(tx, [{ projectId, type: 'webhook_endpoint.disabled', subject: endpointId, data }]);
  }
}
