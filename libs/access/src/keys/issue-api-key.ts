import { Injectable } from '@nestjs/common';
import { Clock } from '#platform/clock';
import { Database } from '#platform/database';
import { normalAllowlist, requireFuture, requireScopes } from './api-key-rules.js';
import { requireName } from '../projects/name-rule.js';
import { Audit } from '../audit/audit.js';
import { ApiKeyMint, describeKey, type IssuedApiKey } from './api-key-mint.js';
import { Projects } from '../projects/projects.service.js';
import type { Scope } from './scopes.js';

export interface IssueApiKeyInput {
  projectId: string;
  name: string;
  scopes: readonly Scope[];
  /** Absent or null: the key never expires. */
  expiresAt?: Date | null;
  /** IP addresses and CIDR ranges. Absent or empty: all addresses. */
  ipAllowlist?: readonly string[];
  /** The actor for the audit log. */
  actor: string;
}

@Injectable()
export class IssueApiKey {
  constructor(
    private readonly db: Database,
    private readonly clock: Clock,
    private readonly projects: Projects,
    private readonly mint: ApiKeyMint,
    private readonly audit: Audit,
  ) {}

  /** @throws ValidationFailed naming the field, NotFound for the project */
  async execute({
    projectId,
    name,
    scopes,
    expiresAt = null,
    ipAllowlist = [],
    actor,
  }: IssueApiKeyInput): Promise<IssuedApiKey> {
    requireName(name);
    requireScopes(scopes);
    requireFuture(expiresAt, this.clock.now());
    const facts = { name, scopes: [...new Set(scopes)], expiresAt, ipAllowlist: normalAllowlist(ipAllowlist) };
    const { mode, organizationId } = await this.projects.get(projectId);
    return await this.db.transaction(async (tx) => {
      const issued = await this.mint.mint(tx, mode, { ...facts, projectId });
      const { id: subject } = issued.apiKey;
      const details = describeKey(issued.apiKey);
      await this.audit.record(tx, { organizationId, projectId, actor, action: 'api_key.issued', subject, details });
      return issued;
    });
  }
}
