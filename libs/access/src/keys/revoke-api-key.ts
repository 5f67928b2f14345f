import { Injectable } from '@nestjs/common';
import { Clock } from '#platform/clock';
import { Database } from '#platform/database';
import { ApiKey } from './api-key.entity.js';
import { ApiKeyLookup } from './api-key-lookup.js';
import { Audit } from '../audit/audit.js';
import { ApiKeys } from './api-keys.service.js';
import { Projects } from '../projects/projects.service.js';

@Injectable()
export class RevokeApiKey {
  constructor(
    private readonly db: Database,
    private readonly clock: Clock,
    private readonly apiKeys: ApiKeys,
    private readonly projects: Projects,
    private readonly audit: Audit,
    private readonly lookup: ApiKeyLookup,
  ) {}

  /**
   * Ends the key now, also during the overlap of a rotation. Repeating the call changes nothing.
   * This process refuses the key at once. The others refuse it when the database notifies them, and after
   * API_KEY_CACHE_TTL_MS at the latest.
   * @param actor for the audit log
   * @throws NotFound
   */
  async execute(apiKeyId: string, actor: string): Promise<ApiKey> {
    const { projectId, name } = await this.apiKeys.get(apiKeyId);
    const { organizationId } = await this.projects.getContext(projectId);
    await this.db.transaction(async (tx) => {
      // A key that has ended keeps the time of its end. An end in the future is replaced by the present time.
      const ended = await this.db.query(
        `update api_keys set revoked_at = $2 where id = $1 and (revoked_at is null or revoked_at > $2) returning id`,
        [apiKeyId, this.clock.now()],
        tx,
      );
      if (ended.length === 0) return;
      const action = 'api_key.revoked';
      await this.audit.record(tx, { organizationId, projectId, actor, action, subject: apiKeyId, details: { name } });
    });
    this.lookup.forgetAll();
    return await this.apiKeys.get(apiKeyId);
  }
}
