import { Injectable } from '@nestjs/common';
import { Clock } from '#platform/clock';
import { isApiKey } from '../keys/api-key-format.js';
import { ApiKeyLookup, type StoredApiKey } from '../keys/api-key-lookup.js';
import { allowlistAdmits } from '../keys/ip-allowlist.js';
import type { ProjectContext } from './project-context.js';

/** The credentials as the request sent them; null where a header is missing or repeated. */
interface Credentials {
  key: string | null;
  organizationId: string | null;
  projectId: string | null;
  ip: string;
}

/** `refused` is for the log only: the response never reveals what was wrong. */
type Verdict = { project: ProjectContext } | { refused: string };

/** Authenticates a request. */
@Injectable()
export class VerifyCredentials {
  constructor(
    private readonly lookup: ApiKeyLookup,
    private readonly clock: Clock,
  ) {}

  async execute(given: Credentials): Promise<Verdict> {
    const { key } = given;
    if (key === null || given.organizationId === null || given.projectId === null) {
      return { refused: 'a credential header is missing or repeated' };
    }
    if (!isApiKey(key)) return { refused: 'malformed key' };
    const stored = await this.lookup.find(key);
    if (stored === null) return { refused: 'unknown key, or its project was deleted' };
    const refused = this.refusal(stored, given);
    if (refused !== null) return { refused };
    const { id, projectId, organizationId, mode, scopes } = stored;
    return { project: { id: projectId, organizationId, mode, apiKeyId: id, scopes } };
  }

  private refusal(stored: StoredApiKey, given: Credentials): string | null {
    const now = this.clock.now();
    if (stored.organizationId !== given.organizationId) return 'key of another organization';
    if (stored.projectId !== given.projectId) return 'key of another project';
    if (stored.expiresAt !== null && stored.expiresAt <= now) return 'expired key';
    if (stored.revokedAt !== null && stored.revokedAt <= now) return 'revoked key';
    if (!allowlistAdmits(stored.ipAllowlist, given.ip)) return 'address outside of the allow-list of the key';
    return null;
  }
}
