import { Injectable } from '@nestjs/common';
import { isUUID } from 'class-validator';
import { Database } from '#platform/database';
import { NotFound } from '#platform/errors';
import type { PageQuery } from '#platform/http';
import { ENDPOINT_COLUMNS, type WebhookEndpoint } from './webhook-endpoint.js';

/** Reads endpoints. */
@Injectable()
export class WebhookEndpoints {
  constructor(private readonly db: Database) {}

  /** @throws NotFound */
  async get(id: string): Promise<WebhookEndpoint> {
    const found = isUUID(id)
      ? await this.db.query<WebhookEndpoint>(`select ${ENDPOINT_COLUMNS} from webhook_endpoints where id = $1`, [id])
      : [];
    if (found[0] === undefined) throw new NotFound('Webhook endpoint');
    return found[0];
  }

  /** Lists the endpoints of a project, the newest first. */
  async list(
    projectId: string,
    { page, limit }: PageQuery,
  ): Promise<{ endpoints: WebhookEndpoint[]; totalCount: number }> {
    const endpoints = await this.db.query<WebhookEndpoint>(
      `select ${ENDPOINT_COLUMNS} from webhook_endpoints where project_id = $1
        order by created_at desc, id desc offset $2 limit $3`,
      [projectId, page * limit, limit],
    );
    const [count] = await this.db.query<{ count: string }>(
      `select count(*) as count from webhook_endpoints where project_id = $1`,
      [projectId],
    );
    return { endpoints, totalCount: Number(count?.count ?? 0) };
  }
}
