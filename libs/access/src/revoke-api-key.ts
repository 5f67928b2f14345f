import { Injectable } from '@nestjs/common';
import { Clock } from '#platform/clock';
import { Database } from '#platform/database';
import { ApiKey } from './api-key.entity.js';
import { ApiKeys } from './api-keys.service.js';

@Injectable()
export class RevokeApiKey {
  constructor(
    private readonly db: Database,
    private readonly clock: Clock,
    private readonly apiKeys: ApiKeys,
  ) {}

  /**
   * Ends the key now, also in the overlap of a rotation; every process refuses it after API_KEY_CACHE_TTL_MS at the latest.
   * Repeating it changes nothing. @throws NotFound
   */
  async execute(apiKeyId: string): Promise<ApiKey> {
    // least() leaves out nulls: an earlier time stays, a planned end comes forward.
    await this.db.query(`update api_keys set revoked_at = least(revoked_at, $2) where id = $1`, [
      apiKeyId,
      this.clock.now(),
    ]);
    return await this.apiKeys.get(apiKeyId);
  }
}
