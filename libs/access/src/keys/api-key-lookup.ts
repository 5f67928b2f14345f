import { timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Clock } from '#platform/clock';
import { Config } from '#platform/config';
import { Database } from '#platform/database';
import { runAsMoney } from '#platform/load';
import { ApiKeyHasher } from './api-key-hasher.js';
import type { ProjectMode } from '../projects/project-identity.js';
import type { Scope } from './scopes.js';

/** A stored key together with its project, which is not deleted. */
export interface StoredApiKey {
  id: string;
  hash: Buffer;
  scopes: Scope[];
  ipAllowlist: string[];
  expiresAt: Date | null;
  revokedAt: Date | null;
  projectId: string;
  organizationId: string;
  mode: ProjectMode;
}

interface Remembered {
  /** When the look-up began: what was changed later may be missing from it. */
  since: number;
  /** `ApiKeyLookup.changes` when the look-up began. */
  changes: number;
  stored: Promise<StoredApiKey | null>;
  isFound: boolean;
}

const BY_HASH = `
  select k.id, k.hash, k.scopes, k.ip_allowlist as "ipAllowlist", k.expires_at as "expiresAt",
         k.revoked_at as "revokedAt", p.id as "projectId", p.organization_id as "organizationId", p.mode
    from api_keys k join projects p on p.id = k.project_id
   where k.hash = $1 and p.deleted_at is null`;

/** Finds stored keys by their hash, and remembers those found for API_KEY_CACHE_TTL_MS, or until any key changes. */
@Injectable()
export class ApiKeyLookup {
  private readonly remembered: LRUCache<string, Remembered>;
  private readonly ttlMs: number;
  private changes = 0;

  constructor(
    { values }: Config,
    private readonly db: Database,
    private readonly clock: Clock,
    private readonly hasher: ApiKeyHasher,
  ) {
    this.ttlMs = values.API_KEY_CACHE_TTL_MS;
    this.remembered = new LRUCache({ max: values.API_KEY_CACHE_MAX });
  }

  /** Callers that ask for one key at once share one query. */
  async find(key: string): Promise<StoredApiKey | null> {
    const hash = this.hasher.hash(key);
    const name = hash.toString('base64');
    const now = this.clock.now().getTime();
    const known = this.remembered.get(name);
    if (known !== undefined && this.isFresh(known, now)) return await known.stored;
    const entry = { since: now, changes: this.changes, stored: this.readForAll(hash), isFound: false };
    this.remembered.set(name, entry);
    let found: StoredApiKey | null = null;
    try {
      found = await entry.stored;
      entry.isFound = found !== null;
    } finally {
      // Neither an outage nor a key that is issued in the next second may be remembered as unknown.
      if (found === null) this.forget(name, entry);
    }
    return found;
  }

  /** Makes every key be looked up again, also those whose look-up is under way: it may have read what has changed since. */
  forgetAll(): void {
    this.changes += 1;
  }

  /** Whether the key was found not long ago; it may have been revoked since. */
  isFamiliar(key: string): boolean {
    return this.remembered.peek(this.hasher.hash(key).toString('base64'))?.isFound ?? false;
  }

  private isFresh({ since, changes }: Remembered, now: number): boolean {
    return changes === this.changes && now >= since && now - since < this.ttlMs;
  }

  /** Withdrawals may wait for what a list has asked for first: it neither waits with the lists nor ends with its client. */
  private readForAll(hash: Buffer): Promise<StoredApiKey | null> {
    return runAsMoney(() => this.read(hash));
  }

  private async read(hash: Buffer): Promise<StoredApiKey | null> {
    const [row] = await this.db.query<StoredApiKey>(BY_HASH, [hash]);
    return row !== undefined && timingSafeEqual(row.hash, hash) ? row : null;
  }

  private forget(name: string, entry: Remembered): void {
    if (this.remembered.peek(name) === entry) this.remembered.delete(name);
  }
}
