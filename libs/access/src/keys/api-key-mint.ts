import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Clock } from '#platform/clock';
import { Secret } from '#platform/crypto';
import type { AuditDetails } from '../audit/audit-entry.js';
import { generateApiKey, hintOf } from './api-key-format.js';
import { ApiKeyHasher } from './api-key-hasher.js';
import { ApiKey } from './api-key.entity.js';
import type { ProjectMode } from '../projects/project-identity.js';

export interface IssuedApiKey {
  apiKey: ApiKey;
  /** The key itself, for this once: it cannot be read again. */
  key: Secret;
}

/** What the audit log tells about a key; it tells nothing of the key itself. */
export function describeKey({ name, scopes, ipAllowlist, expiresAt }: ApiKey): AuditDetails {
  const allowedFrom = ipAllowlist.length === 0 ? null : ipAllowlist.join(',');
  return { name, scopes: scopes.join(','), allowedFrom, expiresAt: expiresAt?.toISOString() ?? null };
}

/** Makes keys and stores their hashes. What a key may be is decided by `IssueApiKey` and `RotateApiKey`. */
@Injectable()
export class ApiKeyMint {
  constructor(
    private readonly clock: Clock,
    private readonly hasher: ApiKeyHasher,
  ) {}

  async mint(
    tx: EntityManager,
    mode: ProjectMode,
    facts: Pick<ApiKey, 'projectId' | 'name' | 'scopes' | 'ipAllowlist' | 'expiresAt'>,
  ): Promise<IssuedApiKey> {
    const key = generateApiKey(mode);
    const apiKey = tx.create(ApiKey, {
      ...facts,
      id: this.clock.newId(),
      hint: hintOf(key),
      createdAt: this.clock.now(),
      revokedAt: null,
      lastUsedAt: null,
    });
    await tx.insert(ApiKey, { ...apiKey, hash: this.hasher.hash(key) });
    return { apiKey, key: new Secret(key) };
  }
}
