import { Injectable } from '@nestjs/common';
import { isUUID } from 'class-validator';
import { Database } from '#platform/database';
import { NotFound } from '#platform/errors';
import type { PageQuery } from '#platform/http';
import { DELIVERY_COLUMNS, type DeliveryState, type WebhookAttempt, type WebhookDelivery } from './delivery.js';

/** Reads the log of deliveries. */
@Injectable()
export class WebhookDeliveries {
  constructor(private readonly db: Database) {}

  /** @throws NotFound */
  async get(id: string): Promise<WebhookDelivery> {
    const found = isUUID(id)
      ? await this.db.query<WebhookDelivery>(`select ${DELIVERY_COLUMNS} from webhook_deliveries d where d.id = $1`, [
          id,
        ])
      : [];
    if (found[0] === undefined) throw new NotFound('Webhook delivery');
    return found[0];
  }

  /** Lists the deliveries to an endpoint, the newest first. @param state null = deliveries in all states. */
  async list(
    endpointId: string,
    state: DeliveryState | null,
    { page, limit }: PageQuery,
  ): Promise<{ deliveries: WebhookDelivery[]; totalCount: number }> {
    const where = `d.endpoint_id = $1 and ($2::text is null or d.state = $2)`;
    const deliveries = await this.db.query<WebhookDelivery>(
      `select ${DELIVERY_COLUMNS} from webhook_deliveries d where ${where}
        order by d.created_at desc, d.id desc offset $3 limit $4`,
      [endpointId, state, page * limit, limit],
    );
    const [count] = await this.db.query<{ count: string }>(
      `select count(*) as count from webhook_deliveries d where ${where}`,
      [endpointId, state],
    );
    return { deliveries, totalCount: Number(count?.count ?? 0) };
  }

  /** Lists the attempts of a delivery in their order. */
  listAttempts(deliveryId: string): Promise<WebhookAttempt[]> {
    return this.db.query<WebhookAttempt>(
      `select number, url, started_at as "startedAt", finished_at as "finishedAt", request_headers as "requestHeaders",
              response_status as "responseStatus", response_headers as "responseHeaders",
              response_body as "responseBody", error
         from webhook_attempts where delivery_id = $1 order by number`,
      [deliveryId],
    );
  }
}
