import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Clock } from '#platform/clock';
import { Database } from '#platform/database';
import { NotFound } from '#platform/errors';
import type { PageQuery } from '#platform/http';
import { ApiKey } from './api-key.entity.js';
import type { Scope } from './scopes.js';

/** Reads API keys, without their hashes. */
@Injectable()
export class ApiKeys {
  constructor(
    private readonly db: Database,
    private readonly clock: Clock,
  ) {}

  /** @throws NotFound */
  async get(id: string): Promise<ApiKey> {
    const found = await this.db.repository(ApiKey).findOneBy({ id });
    if (found === null) throw new NotFound('API key');
    return found;
  }

  /** Whether the key is valid now. A concurrent revocation waits for the end of this transaction. */
  async isValid(tx: EntityManager, id: string): Promise<boolean> {
    const good = await this.db.query(
      `select from api_keys k join projects p on p.id = k.project_id
        where k.id = $1 and p.deleted_at is null
          and (k.revoked_at is null or k.revoked_at > $2) and (k.expires_at is null or k.expires_at > $2)
          for share of k`,
      [id, this.clock.now()],
      tx,
    );
    return good.length > 0;
  }

  /** The scopes that the valid keys of a project have together. */
  async scopesOf(projectId: string): Promise<Scope[]> {
    const rows = await this.db.query<{ scope: Scope }>(
      `select distinct unnest(scopes) as scope from api_keys
        where project_id = $1 and (revoked_at is null or revoked_at > $2) and (expires_at is null or expires_at > $2)`,
      [projectId, this.clock.now()],
    );
    return rows.map(({ scope }) => scope);
  }

  /** Lists the keys of a project, the newest first, with revoked and expired keys. */
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
