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
  /** The key itself. It is available only now and cannot be read again. */
  key: Secret;
}

/** The facts of a key for the audit log, without the key itself. */
export function describeKey({ name, scopes, ipAllowlist, expiresAt }: ApiKey): AuditDetails {
  const allowedFrom = ipAllowlist.length === 0 ? null : ipAllowlist.join(',');
  return { name, scopes: scopes.join(','), allowedFrom, expiresAt: expiresAt?.toISOString() ?? null };
}

/** Creates keys and stores their hashes. `IssueApiKey` and `RotateApiKey` decide the properties of a key. */
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
