import { Injectable } from '@nestjs/common';
import { Clock } from '#platform/clock';
import { Database } from '#platform/database';
import { Conflict } from '#platform/errors';
import { requireFuture, requireOverlap } from './api-key-rules.js';
import { ApiKeyLookup } from './api-key-lookup.js';
import { ApiKeyMint, describeKey, type IssuedApiKey } from './api-key-mint.js';
import { ApiKeys } from './api-keys.service.js';
import { Audit } from '../audit/audit.js';
import { Projects } from '../projects/projects.service.js';

export interface RotateApiKeyInput {
  apiKeyId: string;
  /** Seconds for which the old key still works. */
  overlapSeconds: number;
  /** Expiry of the new key. Absent: the expiry of the old key. */
  expiresAt?: Date | null;
  /** The actor for the audit log. */
  actor: string;
}

export interface RotatedApiKey extends IssuedApiKey {
  previousWorksUntil: Date;
}

@Injectable()
export class RotateApiKey {
  constructor(
    private readonly db: Database,
    private readonly clock: Clock,
    private readonly apiKeys: ApiKeys,
    private readonly projects: Projects,
    private readonly mint: ApiKeyMint,
    private readonly audit: Audit,
    private readonly lookup: ApiKeyLookup,
  ) {}

  /**
   * Issues a new key with the name, scopes and allow-list of the old one. The old key works until the overlap ends.
   * @throws ValidationFailed, NotFound
   * @throws Conflict (409) when the old key was already rotated or revoked, or has expired
   */
  async execute(input: RotateApiKeyInput): Promise<RotatedApiKey> {
    const { apiKeyId, overlapSeconds } = input;
    const now = this.clock.now();
    requireOverlap(overlapSeconds);
    requireFuture(input.expiresAt ?? null, now);
    const old = await this.apiKeys.get(apiKeyId);
    const { mode, organizationId } = await this.projects.get(old.projectId);
    const overlapEnds = new Date(now.getTime() + overlapSeconds * 1_000);
    const previousWorksUntil = old.expiresAt !== null && old.expiresAt < overlapEnds ? old.expiresAt : overlapEnds;
    const rotated = await this.db.transaction(async (tx) => {
      const ended = await this.db.query(
        `update api_keys set revoked_at = $2
          where id = $1 and revoked_at is null and (expires_at is null or expires_at > $3) returning id`,
        [apiKeyId, overlapEnds, now],
        tx,
      );
      // Only one of two concurrent rotations ends the old key, and the other one fails here. Otherwise both would issue
      // a valid key, and the caller might not know one of these keys.
      if (ended.length === 0) {
        throw new Conflict('The API key was already rotated or revoked, or has expired; issue a new key');
      }
      const expiresAt = input.expiresAt === undefined ? old.expiresAt : input.expiresAt;
      const { projectId, name, scopes, ipAllowlist } = old;
      const issued = await this.mint.mint(tx, mode, { projectId, name, scopes, ipAllowlist, expiresAt });
      await this.audit.record(tx, {
        organizationId,
        projectId,
        actor: input.actor,
        action: 'api_key.rotated',
        subject: old.id,
        details: {
          ...describeKey(issued.apiKey),
          replacedBy: issued.apiKey.id,
          worksUntil: previousWorksUntil.toISOString(),
        },
      });
      return { ...issued, previousWorksUntil };
    });
    this.lookup.forgetAll();
    return rotated;
  }
}
