import { Injectable } from '@nestjs/common';
import { Database } from '#platform/database';
import { NotFound } from '#platform/errors';
import type { PageQuery } from '#platform/http';
import { ApiKey } from './api-key.entity.js';

/** Reads of API keys, without their hashes. */
@Injectable()
export class ApiKeys {
  constructor(private readonly db: Database) {}

  /** @throws NotFound */
  async get(id: string): Promise<ApiKey> {
    const found = await this.db.repository(ApiKey).findOneBy({ id });
    if (found === null) throw new NotFound('API key');
    return found;
  }

  /** Newest first, revoked and expired ones included. */
  async list(projectId: string, { page, limit }: PageQuery): Promise<{ apiKeys: ApiKey[]; totalCount: number }> {
    const [apiKeys, totalCount] = await this.db.repository(ApiKey).findAndCount({
      where: { projectId },
      order: { createdAt: 'desc', id: 'desc' },
      skip: page * limit,
      take: limit,
    });
    return { apiKeys, totalCount };
  }
}
