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

/** A stored key with its project. The project is not deleted. */
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
  /** When the query began. Later changes may be missing from its result. */
  since: number;
  /** The value of `ApiKeyLookup.changes` when the query began. */
  changes: number;
  stored: Promise<StoredApiKey | null>;
  isFound: boolean;
}

/** Most verified API keys that one process keeps in memory. */
export const KEYS_MAX = 10_000;

const BY_HASH = `
  select k.id, k.hash, k.scopes, k.ip_allowlist as "ipAllowlist", k.expires_at as "expiresAt",
         k.revoked_at as "revokedAt", p.id as "projectId", p.organization_id as "organizationId", p.mode
    from api_keys k join projects p on p.id = k.project_id
   where k.hash = $1 and p.deleted_at is null`;

/** Finds stored keys by their hash. It caches found keys for API_KEY_CACHE_TTL_MS, or until any key changes. */
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
    this.remembered = new LRUCache({ max: KEYS_MAX });
  }

  /** Concurrent calls for one key share one query. */
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
      // An unknown key must not be cached: it may be issued in the next second, and the query may have failed.
      if (found === null) this.forget(name, entry);
    }
    return found;
  }

  /** Drops the whole cache, and the results of queries that are still running: they may have read an outdated row. */
  forgetAll(): void {
    this.changes += 1;
  }

  /** Whether the key is in the cache. It may have been revoked since. */
  isFamiliar(key: string): boolean {
    return this.remembered.peek(this.hasher.hash(key).toString('base64'))?.isFound ?? false;
  }

  private isFresh({ since, changes }: Remembered, now: number): boolean {
    return changes === this.changes && now >= since && now - since < this.ttlMs;
  }

  /**
   * Withdrawals may share a query that a list request began, so the query has the priority of money and does not end
   * with its client.
   */
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
