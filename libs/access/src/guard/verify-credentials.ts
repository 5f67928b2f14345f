import type { IncomingMessage } from 'node:http';
import { Injectable } from '@nestjs/common';
import { Clock } from '#platform/clock';
import { isApiKey } from '../keys/api-key-format.js';
import { ApiKeyLookup, type StoredApiKey } from '../keys/api-key-lookup.js';
import { allowlistAdmits } from '../keys/ip-allowlist.js';
import { Callers } from './callers.js';
import type { ProjectContext } from './project-context.js';
import { ProjectSuspended } from './access.errors.js';

/** The credentials as the request sent them; null where a header is missing or repeated. */
interface Credentials {
  key: string | null;
  organizationId: string | null;
  projectId: string | null;
  ip: string;
}

/** `refused` is for the log only: the response never reveals what was wrong. */
export type Verdict = { project: ProjectContext } | { refused: string };

/** Authenticates a request. */
@Injectable()
export class VerifyCredentials {
  constructor(
    private readonly lookup: ApiKeyLookup,
    private readonly callers: Callers,
    private readonly clock: Clock,
  ) {}

  /**
   * @returns a promise only when the key is not in the cache
   * @throws ProjectSuspended for right credentials of a suspended project
   */
  execute(request: IncomingMessage, given: Credentials): Verdict | Promise<Verdict> {
    const { key } = given;
    if (key === null || given.organizationId === null || given.projectId === null) {
      return { refused: 'a credential header is missing or repeated' };
    }
    const known = this.lookup.findKnown(this.callers.keyNameOf(request, key));
    if (known !== null) return this.verdictOf(known, given);
    if (!isApiKey(key)) return { refused: 'malformed key' };
    return this.lookup.find(key).then((stored) => this.verdictOf(stored, given));
  }

  private verdictOf(stored: StoredApiKey | null, given: Credentials): Verdict {
    if (stored === null) return { refused: 'unknown key, or its project was deleted' };
    const refused = this.refusal(stored, given);
    if (refused !== null) return { refused };
    // Only a caller with the right credentials learns that the project is suspended.
    if (stored.isSuspended) throw new ProjectSuspended();
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
