import { hash, timingSafeEqual } from 'node:crypto';
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
  /** Whether the project is suspended. */
  isSuspended: boolean;
}

/** The name of an API key in memory: its SHA-256. A key has 256 random bits, so it cannot be found from its name. */
export type KeyName = string & { readonly kind: 'the SHA-256 of an API key' };

/**
 * Returns the name of a key in memory. Every request needs it, so it is a plain hash: the keyed hash of `ApiKeyHasher`
 * takes ten times as long.
 */
export function nameOfKey(key: string): KeyName {
  return hash('sha256', key, 'base64') as KeyName;
}

interface Remembered {
  /** When the query began. Later changes may be missing from its result. */
  since: number;
  /** The value of `ApiKeyLookup.changes` when the query began. */
  changes: number;
  stored: Promise<StoredApiKey | null>;
  /** The result of `stored` when the query has ended and has found the key; else null. */
  found: StoredApiKey | null;
}

/** Maximum number of verified API keys that one process keeps in memory. */
export const KEYS_MAX = 10_000;

/** The function reads the keys of all projects, because the project of a request is not known before its key. */
const BY_HASH = `
  select k.id, k.hash, k.scopes, k.ip_allowlist as "ipAllowlist", k.expires_at as "expiresAt",
         k.revoked_at as "revokedAt", p.id as "projectId", p.organization_id as "organizationId", p.mode,
         p.suspended_at is not null as "isSuspended"
    from find_api_key($1) k join projects p on p.id = k.project_id
   where p.deleted_at is null`;

/** Finds stored keys by their hash. It caches found keys for API_KEY_CACHE_TTL_MS, or until any key changes. */
@Injectable()
export class ApiKeyLookup {
  private readonly remembered: LRUCache<KeyName, Remembered>;
  private readonly ttlMs: number;
  private changes = 0;

  constructor(
    { constants }: Config,
    private readonly db: Database,
    private readonly clock: Clock,
    private readonly hasher: ApiKeyHasher,
  ) {
    this.ttlMs = constants.API_KEY_CACHE_TTL_MS;
    this.remembered = new LRUCache({ max: KEYS_MAX });
  }

  /** Returns a key from the cache if its entry is fresh. Every request calls this first, so it returns no promise. */
  findKnown(name: KeyName): StoredApiKey | null {
    const known = this.remembered.get(name);
    return known !== undefined && this.isFresh(known, this.clock.now().getTime()) ? known.found : null;
  }

  /**
   * Returns the stored key from the cache or from the database; null = it is unknown. Concurrent calls for one key
   * share one query.
   */
  async find(key: string): Promise<StoredApiKey | null> {
    const name = nameOfKey(key);
    const now = this.clock.now().getTime();
    const known = this.remembered.get(name);
    if (known !== undefined && this.isFresh(known, now)) return await known.stored;
    const stored = this.readForAll(this.hasher.hash(key));
    const entry: Remembered = { since: now, changes: this.changes, stored, found: null };
    this.remembered.set(name, entry);
    try {
      entry.found = await stored;
    } finally {
      // Neither an unknown key nor a failed query may be cached, because the key may be issued in the next second.
      if (entry.found === null) this.forget(name, entry);
    }
    return entry.found;
  }

  /** Makes the whole cache outdated, and also the results of running queries, which may have read an outdated row. */
  forgetAll(): void {
    this.changes += 1;
  }

  /** Whether the key is in the cache, even with an outdated entry. The key may have been revoked since. */
  isFamiliar(name: KeyName): boolean {
    const known = this.remembered.peek(name);
    return known !== undefined && known.found !== null;
  }

  private isFresh({ since, changes }: Remembered, now: number): boolean {
    return changes === this.changes && now >= since && now - since < this.ttlMs;
  }

  /**
   * Reads the key for all requests that wait for it. A withdrawal may wait for a query that a list request began, so
   * the query has the load class `money` and goes on when the client of the list request disconnects.
   */
  private readForAll(keyedHash: Buffer): Promise<StoredApiKey | null> {
    return runAsMoney(() => this.read(keyedHash));
  }

  private async read(keyedHash: Buffer): Promise<StoredApiKey | null> {
    const [row] = await this.db.query<StoredApiKey>(BY_HASH, [keyedHash]);
    return row !== undefined && timingSafeEqual(row.hash, keyedHash) ? row : null;
  }

  private forget(name: KeyName, entry: Remembered): void {
    if (this.remembered.peek(name) === entry) this.remembered.delete(name);
  }
}
