import { Injectable } from '@nestjs/common';
import { Clock } from '#platform/clock';
import { Database } from '#platform/database';
import { normalAllowlist, requireFuture, requireName, requireScopes } from './access-rules.js';
import { ApiKeyMint, type IssuedApiKey } from './api-key-mint.js';
import { Projects } from './projects.service.js';
import type { Scope } from './scopes.js';

export interface IssueApiKeyInput {
  projectId: string;
  name: string;
  scopes: readonly Scope[];
  /** Absent or null: never. */
  expiresAt?: Date | null;
  /** IP addresses and CIDR ranges; absent or empty: everywhere. */
  ipAllowlist?: readonly string[];
}

@Injectable()
export class IssueApiKey {
  constructor(
    private readonly db: Database,
    private readonly clock: Clock,
    private readonly projects: Projects,
    private readonly mint: ApiKeyMint,
  ) {}

  /** @throws ValidationFailed naming the field, NotFound for the project. */
  async execute({
    projectId,
    name,
    scopes,
    expiresAt = null,
    ipAllowlist = [],
  }: IssueApiKeyInput): Promise<IssuedApiKey> {
    requireName(name);
    requireScopes(scopes);
    requireFuture(expiresAt, this.clock.now());
    const facts = { name, scopes: [...new Set(scopes)], expiresAt, ipAllowlist: normalAllowlist(ipAllowlist) };
    const { mode } = await this.projects.get(projectId);
    return await this.db.transaction((tx) => this.mint.mint(tx, mode, { ...facts, projectId }));
  }
}
